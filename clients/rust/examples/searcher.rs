//! A bot that looks ahead: `careful` of docs/sample-bots.md, which weighs what every choice still
//! promises, and what it leaves to others.

use std::process::ExitCode;

fn main() -> ExitCode {
    paddock::run_from_command_line(paddock::bots::Careful)
}
