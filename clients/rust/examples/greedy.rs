//! The bot `greedy` of docs/sample-bots.md.

use std::process::ExitCode;

fn main() -> ExitCode {
    paddock::run_from_command_line(paddock::bots::Greedy)
}
