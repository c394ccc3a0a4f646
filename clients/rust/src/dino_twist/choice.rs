//! The choices of a seat.

use std::fmt;

use super::material::{Card, Kind, Species, Territory};

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// What is decided.
    pub kind: Kind,
    /// The cards that are played, buried or discarded, by species, then strength, claws first.
    pub cards: Vec<Card>,
    /// The species that a PLAY attacks.
    pub species: Option<Species>,
    /// The territory that an ATTACK attacks; None waives it. A PLAY names one only where the rules
    /// want it.
    pub territory: Option<Territory>,
    /// Where the Dino that an ATTACK beats settles; None: it is discarded.
    pub settle: Option<Territory>,
    /// How many cards another seat discarded; which ones is not told.
    pub face_down: u32,
}

impl Choice {
    /// The strengths of all its cards together.
    pub fn strength(&self) -> u32 {
        self.cards.iter().map(|card| card.strength).sum()
    }

    /// Of a PLAY: the card that stays on Twist Island, the weakest of the attacked species; of
    /// equals one without a claw.
    pub fn stays(&self) -> Option<Card> {
        let mine = self.cards.iter().filter(|card| Some(card.species) == self.species);
        mine.min_by_key(|card| (card.strength, card.claw)).copied()
    }

    /// The choice with its cards in order.
    pub(crate) fn in_order(&self) -> Choice {
        let mut choice = self.clone();
        choice.cards.sort_by_key(Card::rank);
        choice
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Attack {
            return match (self.territory, self.settle) {
                (None, _) => write!(out, "ATTACK nothing"),
                (Some(at), None) => write!(out, "ATTACK {at} and discard what is beaten"),
                (Some(at), Some(to)) => write!(out, "ATTACK {at} and settle in {to}"),
            };
        }
        write!(out, "{}", self.kind)?;
        self.cards.iter().try_for_each(|card| write!(out, " {card}"))?;
        if self.cards.iter().any(|card| Some(card.species) != self.species)
            && let Some(species) = self.species
        {
            write!(out, " as {species}")?;
        }
        if let Some(territory) = self.territory {
            write!(out, " at {territory}")?;
        }
        match (self.face_down, self.cards.is_empty()) {
            (0, true) => write!(out, " nothing"),
            (0, false) => Ok(()),
            (count, _) => write!(out, " {count} face down"),
        }
    }
}
