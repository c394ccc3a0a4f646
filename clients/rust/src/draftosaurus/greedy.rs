//! The greedy player: the best immediate points.

use super::choice::Choice;
use super::material::{Phase, Species};
use super::scoring::points;
use super::view::View;
use crate::best::best;

/// The number of the legal choice with the best immediate points.
pub fn greedy(view: &View) -> usize {
    match view.phase {
        Phase::Remove => best(&view.legal, |choice| worth_to_the_next(view, choice.species)),
        Phase::Pick => {
            let placements = view.placements();
            picked(view, &placements, best(&placements, |choice| points_after(view, choice)))
        }
        _ => best(&view.legal, |choice| points_after(view, choice)),
    }
}

/// The number of the PICK of the species of a placement.
pub(crate) fn picked(view: &View, placements: &[Choice], number: usize) -> usize {
    let species = placements.get(number).map(|placement| placement.species);
    view.legal.iter().position(|choice| Some(choice.species) == species).unwrap_or(0)
}

/// This seat's points after a placement or a move, if the others did nothing.
fn points_after(view: &View, choice: &Choice) -> i64 {
    let zoo = match choice.kind {
        Phase::Move => view.zoo().moved(choice),
        _ => view.zoo().plus(choice),
    };
    points(&view.zoos, view.seat, &zoo)
}

/// The most that a dinosaur would bring the seat that gets this hand, whatever is rolled.
fn worth_to_the_next(view: &View, species: Species) -> i64 {
    let next = view.next_seat();
    let zoo = &view.zoos[next];
    let places = zoo.placements(&[species]);
    places.iter().map(|place| points(&view.zoos, next, &zoo.plus(place))).max().unwrap_or(0)
}
