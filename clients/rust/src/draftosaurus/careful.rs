//! The careful player: it looks ahead, at what its pens still promise and at what it passes on.

use super::choice::Choice;
use super::greedy::{greedy, picked};
use super::material::{Phase, Species};
use super::prospect::Prospect;
use super::view::View;
use crate::best::best;

/// How much the own gain counts, beside what the next seat gains: of two players one wins what the
/// other loses; of more, the next seat is only one of those to beat.
const OWN: i64 = 10;
const AGAINST_ONE: i64 = 5;
const AGAINST_MORE: i64 = 2;

/// The number of the legal choice with the most points expected in the end.
pub fn careful(view: &View) -> usize {
    match view.phase {
        Phase::Move | Phase::Over => greedy(view), // nothing comes after it: points are all
        Phase::Remove => {
            let passing = Passing::new(view);
            best(&view.legal, |choice| -passing.cost_without(choice.species))
        }
        Phase::Place | Phase::Pick => {
            let mine = Prospect::new(view, view.seat, 0);
            if !view.picks.is_empty() {
                return best(&view.legal, |choice| mine.after(choice));
            }
            let passing = Passing::new(view);
            let worth = |choice: &Choice| OWN * mine.after(choice) - passing.cost_without(choice.species);
            let placements = view.placements();
            match view.phase {
                Phase::Pick => picked(view, &placements, best(&placements, worth)),
                _ => best(&view.legal, worth),
            }
        }
    }
}

/// The value of the rest of a hand to the seat that gets it next.
struct Passing<'a> {
    hand: &'a [Species],
    gains: Vec<(Species, i64)>,
    weight: i64,
    taken_out: usize,
}

impl<'a> Passing<'a> {
    fn new(view: &'a View) -> Self {
        let two = view.seats() == 2;
        let removing = view.phase == Phase::Remove;
        // Between placing and passing, a seat of two takes the best one out.
        let taken_out = usize::from(two && !removing);
        let mut gains = Vec::new();
        if view.hand.len() > 1 + taken_out {
            let theirs = Prospect::new(view, view.next_seat(), usize::from(removing));
            for species in view.species_in_hand() {
                let places = theirs.zoo().placements(&[species]);
                if let Some(most) = places.iter().map(|place| theirs.after(place)).max() {
                    gains.push((species, most - theirs.now()));
                }
            }
        }
        let weight = if two { AGAINST_ONE } else { AGAINST_MORE };
        Passing { hand: &view.hand, gains, weight, taken_out }
    }

    /// How much the hand without one of this species, passed on, counts against a choice.
    fn cost_without(&self, species: Species) -> i64 {
        let mut gains = Vec::new();
        for &(other, gain) in &self.gains {
            let held = self.hand.iter().filter(|&&one| one == other).count();
            gains.extend(std::iter::repeat_n(gain, held - usize::from(other == species)));
        }
        gains.sort_unstable_by(|one, other| other.cmp(one));
        gains.get(self.taken_out).map_or(0, |gain| self.weight * gain)
    }
}
