//! Dino Twist: what a seat sees, what it can choose, and how islands score.

mod careful;
mod choice;
mod greedy;
mod island;
mod material;
mod reading;
mod scoring;
mod view;

pub use careful::careful;
pub use choice::Choice;
pub use greedy::greedy;
pub use island::Island;
pub use material::{Card, Event, EventKind, Kind, Phase, Rules, Species, Territory};
pub use scoring::Score;
pub use view::{Graveyard, View, Way};

pub(crate) use reading::{read_choice, read_rules, read_scores, read_view};

/// The formats of this game.
pub const FORMATS: [&str; 2] = ["dino-twist", "dino-twist-small"];
/// The version of the rules that this client knows.
pub const RULES_VERSION: u32 = 2;
