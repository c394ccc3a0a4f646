//! The sample bots, described choice by choice in docs/sample-bots.md.

use crate::ask::{Answer, Ask};
use crate::bot::{Bot, Chosen};
use crate::game::View;
use crate::{dino_twist, draftosaurus};

/// A bot that plays any legal choice.
pub struct Random;

impl Bot for Random {
    fn choose(&self, ask: &Ask) -> Chosen {
        Ok(Answer::Number(ask.below(ask.legal.len())))
    }

    fn name(&self) -> &str {
        "random"
    }

    fn about(&self) -> &str {
        "A bot that plays any legal choice."
    }
}

/// A bot that takes the best immediate points.
pub struct Greedy;

impl Bot for Greedy {
    fn choose(&self, ask: &Ask) -> Chosen {
        Ok(Answer::Number(match &ask.view {
            View::Draftosaurus(view) => draftosaurus::greedy(view),
            View::DinoTwist(view) => dino_twist::greedy(view),
        }))
    }

    fn name(&self) -> &str {
        "greedy"
    }

    fn about(&self) -> &str {
        "A bot that takes the best immediate points."
    }
}

/// A bot that considers later turns and what it leaves to others.
pub struct Careful;

impl Bot for Careful {
    fn choose(&self, ask: &Ask) -> Chosen {
        Ok(Answer::Number(match &ask.view {
            View::Draftosaurus(view) => draftosaurus::careful(view),
            View::DinoTwist(view) => dino_twist::careful(view),
        }))
    }

    fn name(&self) -> &str {
        "careful"
    }

    fn about(&self) -> &str {
        "A bot that considers later turns and what it leaves to others."
    }
}
