//! A bot for the tests: with UNRULY=slow it thinks for long where it may, with UNRULY=failing it
//! fails.

use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use paddock::{Answer, Ask, Bot, Chosen};

const LONG_MS: u32 = 3000;

struct Unruly;

impl Bot for Unruly {
    fn choose(&self, ask: &Ask) -> Chosen {
        if std::env::var("UNRULY").is_ok_and(|how| how == "failing") {
            return Err("no idea".into());
        }
        if ask.time_ms > LONG_MS {
            sleep(Duration::from_millis(LONG_MS.into()));
        }
        Ok(Answer::Number(0))
    }

    fn name(&self) -> &str {
        "unruly"
    }
}

fn main() -> ExitCode {
    paddock::run_from_command_line(Unruly)
}
