//! A view of Dino Twist: what one seat knows, the open table and its own cards.

use super::choice::Choice;
use super::island::Island;
use super::material::{Card, Event, EventKind, Kind, Phase, Rules, Territory};
use super::scoring::{Score, scores};

/// Entries of one card or more, in the order in which they were made.
pub type Graveyard = Vec<Vec<Card>>;

/// A way to attack: a territory, and where what is beaten there settles; None: nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// What is attacked.
    pub territory: Territory,
    /// Where the beaten Dino settles on the own island; None: it is discarded.
    pub settle: Option<Territory>,
}

/// The view of one seat, and its legal choices.
#[derive(Clone, Debug)]
pub struct View {
    /// The format that is played.
    pub format: String,
    /// The rule options of the match.
    pub rules: Rules,
    /// Which seat sees this.
    pub seat: usize,
    /// The own hand, by species, then strength, claws first.
    pub hand: Vec<Card>,
    /// What this seat laid face down on the discard pile since it was last shuffled.
    pub discarded: Vec<Card>,
    /// What this seat may choose, in the order of the ask.
    pub legal: Vec<Choice>,
    /// Which round of the game this is, from 0.
    pub round: usize,
    /// The event that applies.
    pub event: Event,
    /// All events that have shown, the one that shows included.
    pub events: Vec<Event>,
    /// What is being decided.
    pub phase: Phase,
    /// The seats that decide now.
    pub asked: Vec<usize>,
    /// Twist Island.
    pub twist: Island,
    /// Everybody's islands, by seat.
    pub islands: Vec<Island>,
    /// Everybody's graveyards, by seat.
    pub graveyards: Vec<Graveyard>,
    /// The bonuses for filled islands, by seat.
    pub island_bonuses: Vec<u32>,
    /// What lies face up on the discard pile.
    pub discards: Vec<Card>,
    /// How many cards each seat laid face down on the discard pile.
    pub face_down: Vec<u32>,
    /// How many cards each seat holds.
    pub hand_sizes: Vec<u32>,
    /// How many cards are left in the draw pile.
    pub pile_size: u32,
    /// What everybody revealed this round, by seat; empty before.
    pub plays: Vec<Option<Choice>>,
    /// The seats that are still to act this round, the weakest first, equals together.
    pub waiting: Vec<Vec<usize>>,
}

impl View {
    /// This seat's own island.
    pub fn island(&self) -> &Island {
        &self.islands[self.seat]
    }

    /// This seat's own graveyard.
    pub fn graveyard(&self) -> &Graveyard {
        &self.graveyards[self.seat]
    }

    /// How many play.
    pub fn seats(&self) -> usize {
        self.islands.len()
    }

    /// Everybody's points as the table stands.
    pub fn scores(&self) -> Vec<Score> {
        scores(self)
    }

    /// The legal choices, sorted by what they are.
    pub fn legal_by_kind(&self) -> Vec<(Kind, Vec<Choice>)> {
        let of_kind = |kind| self.legal.iter().filter(|choice| choice.kind == kind).cloned().collect();
        let kinds = Kind::ALL.iter().map(|&kind| (kind, of_kind(kind)));
        kinds.filter(|(_, choices): &(Kind, Vec<Choice>)| !choices.is_empty()).collect()
    }

    /// Whether a seat has a Small T-Rex island, on which every Dino may live anywhere.
    pub fn is_small(&self, seat: usize) -> bool {
        self.format == "dino-twist-small" || self.rules.small_seats.contains(&seat.to_string())
    }

    /// The territories that a play may attack: those with a weaker Dino of its species.
    pub fn targets(&self, play: &Choice) -> Vec<Territory> {
        let Some(species) = play.species else {
            return Vec::new();
        };
        let total = play.strength() + self.event.bonus(species);
        let possible = if self.rules.attack_with_play {
            play.territory.into_iter().collect()
        } else {
            species.territories().to_vec()
        };
        let has_fallen =
            |place| self.event.kind == Some(EventKind::Meteor) && self.event.territory == Some(place);
        possible
            .into_iter()
            .filter(|&place| self.twist.strength_on(place) < total && !has_fallen(place))
            .collect()
    }

    /// All ways of this seat to attack with a play: every target, and where the beaten Dino may
    /// settle. It is discarded only where no territory that it may settle on is empty.
    pub fn ways(&self, play: &Choice) -> Vec<Way> {
        let mut ways = Vec::new();
        for territory in self.targets(play) {
            let places = self.settles(territory);
            let has_gap = places.iter().any(|&place| self.island().card(place).is_none());
            let bound = has_gap && !self.rules.need_not_settle();
            ways.extend(places.into_iter().map(|place| Way { territory, settle: Some(place) }));
            if !bound && !self.rules.must_settle {
                ways.push(Way { territory, settle: None });
            }
        }
        ways
    }

    /// Where a Dino that is beaten on a territory may settle.
    fn settles(&self, territory: Territory) -> Vec<Territory> {
        if self.is_small(self.seat) {
            Territory::ALL.to_vec()
        } else if self.event.kind == Some(EventKind::Earthquake) {
            territory.species().territories().to_vec()
        } else {
            vec![territory]
        }
    }
}
