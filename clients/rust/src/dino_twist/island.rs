//! An island: eight territories, each with a Dino or empty.

use super::material::{Card, Territory};

/// Who lives where; Twist Island is an island without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Island([Option<Card>; 8]);

impl Island {
    /// Who lives on a territory.
    pub fn card(&self, territory: Territory) -> Option<Card> {
        self.0[territory.index()]
    }

    /// The strength on a territory; 0 where nobody lives there.
    pub fn strength_on(&self, territory: Territory) -> u32 {
        self.card(territory).map_or(0, |card| card.strength)
    }

    /// The printed strengths, added.
    pub fn strength(&self) -> u32 {
        self.0.iter().flatten().map(|card| card.strength).sum()
    }

    /// How many cards carry a claw.
    pub fn claws(&self) -> usize {
        self.0.iter().flatten().filter(|card| card.claw).count()
    }

    /// How many territories are empty.
    pub fn gaps(&self) -> usize {
        self.0.iter().filter(|place| place.is_none()).count()
    }

    /// Whether all territories are filled.
    pub fn is_full(&self) -> bool {
        self.gaps() == 0
    }

    /// The island after this card took that place.
    pub fn with(&self, territory: Territory, card: Card) -> Island {
        let mut island = self.clone();
        island.0[territory.index()] = Some(card);
        island
    }
}
