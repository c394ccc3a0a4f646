//! A bot in Rust. `choose` is called for every decision; put your strategy there.

use paddock::{Ask, Bot, Chosen};

struct Mine;

impl Bot for Mine {
    /// One of `ask.legal`, or its number; `ask.view` is what this seat knows.
    fn choose(&self, ask: &Ask) -> Chosen {
        Ok(ask.below(ask.legal.len()).into())
    }

    fn name(&self) -> &str {
        "@NAME@"
    }
}

fn main() -> std::process::ExitCode {
    paddock::run_from_command_line(Mine)
}
