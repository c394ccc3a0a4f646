//! Draftosaurus: what a seat sees, what it can choose, and how zoos score.

mod careful;
mod choice;
mod greedy;
mod material;
mod promises;
mod prospect;
mod reading;
mod scoring;
mod view;
mod zoo;

pub use careful::careful;
pub use choice::Choice;
pub use greedy::greedy;
pub use material::{Board, Face, PLACES, Pen, Phase, Rules, Species, ZOO};
pub use scoring::{Score, points, scores};
pub use view::View;
pub use zoo::{Counts, Stands, Zoo};

pub(crate) use reading::{read_choice, read_rules, read_scores, read_view};

/// The formats of this game.
pub const FORMATS: [&str; 6] =
    ["summer", "winter", "two-player", "two-player-winter", "series", "two-player-series"];
/// The version of the rules that this client knows.
pub const RULES_VERSION: u32 = 1;
