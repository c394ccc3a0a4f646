//! The trait of bots; `choose` is all that a bot needs.

use std::error::Error;

use crate::ask::{Answer, Ask};
use crate::matches::{Event, Match, Refusal, Summary};

/// What `choose` returns: an answer, or any error. Where it is an error the default is played, and
/// counted as a fallback.
pub type Chosen = Result<Answer, Box<dyn Error + Send + Sync>>;

/// A bot. Implement `choose`, and any of the other methods.
///
/// They are called in threads of their own, one for every match that is being played at once; what
/// concerns one match is called in order, one call after the other. A panic is caught.
pub trait Bot: Send + Sync + 'static {
    /// One of the legal choices, or its number.
    fn choose(&self, ask: &Ask) -> Chosen;

    /// The bot's name as the server knows it; the name of the type where nothing else is said.
    fn name(&self) -> &str {
        let path = std::any::type_name::<Self>();
        path.rsplit("::").next().unwrap_or(path)
    }

    /// The bot's version.
    fn version(&self) -> &str {
        "1"
    }

    /// What the bot does, for `--help`.
    fn about(&self) -> &str {
        "A bot of Paddock."
    }

    /// The formats that it plays; empty: all that the server has.
    fn formats(&self) -> &[&str] {
        &[]
    }

    /// How many matches it plays at once.
    fn max_matches(&self) -> u32 {
        8
    }

    /// Called when a match begins.
    fn started(&self, _match: &Match) {}

    /// Called with what everybody chose.
    fn happened(&self, _match: &Match, _event: &Event) {}

    /// Called when a match ends.
    fn ended(&self, _match: &Match, _summary: &Summary) {}

    /// Called when an answer did not count, with the reason.
    fn refused(&self, _match: &Match, _refusal: &Refusal) {}
}
