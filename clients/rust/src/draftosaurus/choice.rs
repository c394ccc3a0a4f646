//! The choices of a seat.

use std::fmt;

use super::material::{Pen, Phase, Species};

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// What is decided.
    pub kind: Phase,
    /// The dinosaur.
    pub species: Species,
    /// Where it goes; None for a PICK and a REMOVE. QUARANTINE in a MOVE: it stays.
    pub pen: Option<Pen>,
    /// The slot of the pyramid, 0 to 5; 0 everywhere else.
    pub slot: u32,
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.kind, self.species)?;
        match self.pen {
            None => Ok(()),
            Some(Pen::Pyramid) => write!(out, " in {} slot {}", Pen::Pyramid, self.slot),
            Some(pen) => write!(out, " in {pen}"),
        }
    }
}
