//! A view of Draftosaurus: what one seat knows, the open table and its own hand.

use super::choice::Choice;
use super::material::{Board, Face, Pen, Phase, Rules, Species};
use super::scoring::{Score, scores};
use super::zoo::Zoo;

/// The view of one seat, and its legal choices.
#[derive(Clone, Debug)]
pub struct View {
    /// The format that is played.
    pub format: String,
    /// The rule options of the match.
    pub rules: Rules,
    /// Which seat sees this.
    pub seat: usize,
    /// The own hand, in the order of the species.
    pub hand: Vec<Species>,
    /// What this seat may choose, in the order of the ask.
    pub legal: Vec<Choice>,
    /// The side of the board that is played on.
    pub board: Board,
    /// What is being decided.
    pub phase: Phase,
    /// Turns of the match that are over; a game has 12.
    pub turns_done: usize,
    /// Which game of the match this is, from 0: a series has two.
    pub game: usize,
    /// Which round of the game this is, from 0.
    pub round: usize,
    /// Which turn of the round this is, from 0.
    pub turn: usize,
    /// The seat that holds the die.
    pub roller: usize,
    /// What the die shows; None: no die was rolled.
    pub die: Option<Face>,
    /// Everybody's zoos, by seat.
    pub zoos: Vec<Zoo>,
    /// What everybody picked, by seat, between reveal and placing; else empty.
    pub picks: Vec<Species>,
    /// What has left this game; two players only.
    pub removed: Vec<Species>,
    /// The zoos of the games that are over, by game and by seat.
    pub finished: Vec<Vec<Zoo>>,
}

impl View {
    /// This seat's own zoo.
    pub fn zoo(&self) -> &Zoo {
        &self.zoos[self.seat]
    }

    /// How many play.
    pub fn seats(&self) -> usize {
        self.zoos.len()
    }

    /// The seat that gets this seat's hand.
    pub fn next_seat(&self) -> usize {
        (self.seat + 1) % self.seats()
    }

    /// Everybody's points as the table stands.
    pub fn scores(&self) -> Vec<Score> {
        scores(&self.zoos)
    }

    /// The legal choices that name a pen, sorted by that pen.
    pub fn legal_by_pen(&self) -> Vec<(Pen, Vec<Choice>)> {
        let in_pen = |pen| self.legal.iter().filter(|choice| choice.pen == Some(pen)).copied().collect();
        let pens = Pen::ALL.iter().map(|&pen| (pen, in_pen(pen)));
        pens.filter(|(_, choices): &(Pen, Vec<Choice>)| !choices.is_empty()).collect()
    }

    /// The species of the hand, each once, in their order.
    pub fn species_in_hand(&self) -> Vec<Species> {
        let mut species = self.hand.clone();
        species.dedup();
        species
    }

    /// The placements of any dinosaur of the hand that the pens and the die allow.
    pub fn placements(&self) -> Vec<Choice> {
        // A die that is held for the last turn of a round binds its holder, too.
        let held = self.rules.five_player_die_hold && self.seats() == 5 && self.turn == 5;
        let face = self.die.filter(|_| held || self.seat != self.roller);
        let zoo = self.zoo();
        let is_open = |pen| face.is_none_or(|face| zoo.is_open(pen, face));
        let all = zoo.placements(&self.species_in_hand());
        all.into_iter().filter(|choice| choice.pen.is_none_or(is_open)).collect()
    }
}
