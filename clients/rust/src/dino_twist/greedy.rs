//! The greedy player: the best immediate points, if nobody gets in the way.

use super::choice::Choice;
use super::material::{Kind, Territory};
use super::scoring::buried;
use super::view::View;
use crate::best::best;

/// The number of the legal choice with the best immediate points.
pub fn greedy(view: &View) -> usize {
    best(&view.legal, |choice| points_won(view, choice))
}

fn points_won(view: &View, choice: &Choice) -> i64 {
    match choice.kind {
        Kind::Bury => buried(view, choice.cards.len()),
        Kind::Attack => choice.territory.map_or(0, |territory| won(view, territory, choice.settle)),
        Kind::Discard => 0,
        Kind::Play => {
            let ways = view.ways(choice);
            ways.iter().map(|way| won(view, way.territory, way.settle)).max().unwrap_or(0)
        }
    }
}

/// The strength that the own island wins if the Dino beaten there settles here; None: nowhere.
pub(crate) fn won(view: &View, territory: Territory, settle: Option<Territory>) -> i64 {
    settle.map_or(0, |place| {
        i64::from(view.twist.strength_on(territory)) - i64::from(view.island().strength_on(place))
    })
}
