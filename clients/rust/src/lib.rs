//! The Rust SDK of Paddock: a bot says what to choose, and the SDK does the rest.
//!
//! ```no_run
//! use paddock::{Answer, Ask, Bot, Chosen};
//!
//! struct Mine;
//!
//! impl Bot for Mine {
//!     fn choose(&self, ask: &Ask) -> Chosen {
//!         Ok(Answer::Number(ask.below(ask.legal.len())))
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     paddock::run_from_command_line(Mine)
//! }
//! ```
//!
//! Connecting, coming back after a lost connection and playing several matches at once are done here.

#![warn(missing_docs)]

mod address;
mod ask;
mod backoff;
mod best;
mod bot;
pub mod bots;
mod command_line;
mod connection;
mod dice;
mod digest;
pub mod dino_twist;
pub mod draftosaurus;
mod errors;
mod game;
mod guard;
mod logging;
mod matches;
mod outbox;
mod part;
mod route;
mod running;
mod session;
mod sitting;
mod trouble;
mod words;

/// The wire code, made from the contract.
#[allow(missing_docs, clippy::all)]
#[rustfmt::skip]
pub mod v1;

pub use address::DEFAULT_SERVER;
pub use ask::{Answer, Ask};
pub use bot::{Bot, Chosen};
pub use command_line::run_from_command_line;
pub use dice::{Dice, match_seed};
pub use errors::{Error, Unreadable};
pub use game::{Choice, Rules, Scores, View};
pub use matches::{Clock, Event, Fault, Match, Refusal, Revealed, Seat, SeatResult, Summary};
pub use running::{Settings, play, run};
