//! `cargo run -- PROTO FOLDER`: the wire code of the contract in PROTO, as a file in FOLDER.

use std::env::args;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(contract), Some(folder)) = (args().nth(1), args().nth(2)) else {
        return Err("name the folders of the contract and of the wire code".into());
    };
    let files = protox::compile(["paddock/v1/arena.proto"], [contract])?;
    tonic_prost_build::configure().out_dir(folder).compile_fds(files)?;
    Ok(())
}
