//! The prospect of a zoo: its points now, and what the states of its pens promise.
//!
//! All of it is counted in whole numbers, so that every language compares alike: with `whole`
//! dinosaurs still to come, a point is `SCALE * whole` parts.

use super::choice::Choice;
use super::material::{Pen, Species, ZOO};
use super::promises::{Pair, promise};
use super::scoring::points;
use super::view::View;
use super::zoo::{Zoo, counted};

const TURNS: i64 = ZOO as i64 - 1; // to come after the first
const SCALE: i64 = 10 * TURNS * TURNS;

/// The prospect of a seat's zoo, as it stands and after every placement.
pub(crate) struct Prospect<'a> {
    view: &'a View,
    seat: usize,
    whole: i64,
    plenty: [i64; 6],
    turns: i64,
}

impl<'a> Prospect<'a> {
    /// The prospect of a seat with so many turns less to go.
    pub(crate) fn new(view: &'a View, seat: usize, fewer_turns: usize) -> Self {
        let in_the_bag = match view.seats() {
            3 => 6,
            5 => 10,
            _ => 8,
        };
        let mut left = [in_the_bag; 6];
        let removed = counted(view.removed.iter().copied());
        for counts in view.zoos.iter().map(Zoo::counts).chain([removed]) {
            for (left, count) in left.iter_mut().zip(counts) {
                *left -= count as i64;
            }
        }
        let whole = left.iter().sum::<i64>().max(1);
        Prospect {
            view,
            seat,
            whole,
            plenty: left.map(|left| 6 * left - whole),
            turns: TURNS - (view.turns_done % ZOO) as i64 - fewer_turns as i64,
        }
    }

    pub(crate) fn zoo(&self) -> &Zoo {
        &self.view.zoos[self.seat]
    }

    /// Points and promise as the zoo stands.
    pub(crate) fn now(&self) -> i64 {
        self.worth(self.zoo())
    }

    /// Points and promise after a placement.
    pub(crate) fn after(&self, place: &Choice) -> i64 {
        self.worth(&self.zoo().plus(place))
    }

    fn worth(&self, zoo: &Zoo) -> i64 {
        let pens = zoo.board().pens().iter();
        let promised: i64 = pens.map(|&pen| self.promised(zoo, pen)).sum();
        SCALE * self.whole * (self.points(zoo) + self.in_quarantine(zoo)) + promised
    }

    fn points(&self, zoo: &Zoo) -> i64 {
        points(&self.view.zoos, self.seat, zoo)
    }

    /// What the dinosaur in quarantine brings where it brings most.
    fn in_quarantine(&self, zoo: &Zoo) -> i64 {
        let Some(species) = zoo.inside(Pen::Quarantine).next() else {
            return 0;
        };
        let now = self.points(zoo);
        let places = zoo.placements(&[species]); // none of them in quarantine, which is full
        let gains = places.iter().map(|place| self.points(&zoo.plus(place)) - now);
        gains.max().unwrap_or(0)
    }

    fn promised(&self, zoo: &Zoo, pen: Pen) -> i64 {
        let Some(promise) = promise(pen, self.view.seats() == 2) else {
            return 0;
        };
        let (state, plenty) = self.state(zoo, pen);
        let share = |(one, other): Pair| self.turns * (TURNS * one + self.turns * other);
        self.whole * share(promise.states[state]) + plenty * share(promise.plenty)
    }

    /// The state that a pen is in, and the plenty of what it wants.
    fn state(&self, zoo: &Zoo, pen: Pen) -> (usize, i64) {
        let size = zoo.size_of(pen);
        let of = |species: Species| self.plenty[species.index()];
        let inside = || zoo.inside(pen);
        match pen {
            Pen::ForestOfSameness if size < 6 => (size, inside().next().map_or(0, of)),
            Pen::KingOfTheJungle => inside().next().map_or((0, 0), |king| {
                let others = self.view.zoos.iter().enumerate();
                let others = others.filter(|&(seat, _)| seat != self.seat);
                let most = others.map(|(_, zoo)| zoo.count(king)).max().unwrap_or(0);
                let ahead = zoo.count(king) as i64 - most as i64;
                ((3 + ahead.clamp(-2, 3)) as usize, of(king))
            }),
            Pen::PrairieOfLove => {
                let single = self.plenty_of(zoo.counts_in(pen).map(|count| count % 2 == 1));
                (single.0.min(4), single.1)
            }
            Pen::MeadowOfDifferences => (size, -inside().map(of).sum::<i64>()),
            Pen::SolitaryIsland => inside().next().map_or((0, 0), |only| match zoo.count(only) {
                1 => (1, of(only)),
                _ => (2, 0),
            }),
            Pen::WellOrderedWood | Pen::Lookout => (size, inside().rev().take(2).map(of).sum()),
            Pen::LoversBridgeLeft => {
                let (left, right) = (zoo.counts_in(pen), zoo.counts_in(Pen::LoversBridgeRight));
                let alone = self.plenty_of(std::array::from_fn(|at| left[at] != right[at]));
                (alone.0.min(5), alone.1)
            }
            _ => (size, 0),
        }
    }

    /// How many species are wanted, and the plenty of all of them.
    fn plenty_of(&self, wanted: [bool; 6]) -> (usize, i64) {
        let plenty = wanted.iter().zip(self.plenty).filter(|(wanted, _)| **wanted);
        plenty.fold((0, 0), |(count, sum), (_, plenty)| (count + 1, sum + plenty))
    }
}
