//! The careful player: it looks at bonuses, at what it leaves to others, and at its hand.
//! docs/sample-bots.md describes all of it, in whole numbers, so that every language chooses alike.

use super::choice::Choice;
use super::greedy::won;
use super::material::{Card, Kind, Phase};
use super::scoring::buried;
use super::view::{View, Way};
use crate::best::best;

const POINT: i64 = 2520; // parts, which 1 to 10 divide
const CLAW: i64 = 2 * POINT;
const LEFT_OVER: i64 = 84; // a point of strength that stays on Twist Island, with each round to come
const CARD: i64 = POINT / 10; // a point of strength in the hand, with each round to come
const CARD_ROUNDS: i64 = 2;
const AVERAGE: i64 = 6; // the strength of a card that is drawn
const LEAST_KEPT: i64 = 4; // cards weaker than this are worth a new one
const EVENTS: i64 = 10;

/// The number of the legal choice with the most points expected in the end.
pub fn careful(view: &View) -> usize {
    let prospect = Prospect::new(view);
    match view.phase {
        Phase::Discard => best(&view.legal, |choice| over(&choice.cards, LEAST_KEPT, -1)),
        Phase::Attack => best(&view.legal, |choice| prospect.attack(choice)),
        _ => best(&view.legal, |choice| prospect.play(choice)),
    }
}

/// The sum of (strength - level) over cards, times a weight.
fn over(cards: &[Card], level: i64, weight: i64) -> i64 {
    weight * cards.iter().map(|card| i64::from(card.strength) - level).sum::<i64>()
}

/// The prospect of a seat: what its choices are worth as the table stands.
struct Prospect<'a> {
    view: &'a View,
    rounds: i64,
    fill: i64,
}

impl<'a> Prospect<'a> {
    fn new(view: &'a View) -> Self {
        let rounds = EVENTS - view.events.len() as i64;
        let gaps = view.island().gaps() as i64;
        let left = [10, 5, 3].into_iter().find(|bonus| !view.island_bonuses.contains(bonus));
        let bonus = left.map_or(0, i64::from);
        let fill = if gaps > rounds + 1 { 0 } else { bonus * POINT / (gaps + 1) };
        Prospect { view, rounds, fill }
    }

    fn attack(&self, choice: &Choice) -> i64 {
        let play = self.view.plays.get(self.view.seat).and_then(Option::as_ref);
        match (play, choice.territory) {
            (Some(play), Some(territory)) => {
                let settle = choice.settle;
                self.worth(play, &Way { territory, settle })
            }
            _ => 0,
        }
    }

    fn play(&self, choice: &Choice) -> i64 {
        let spent = over(&choice.cards, AVERAGE, CARD * self.rounds.min(CARD_ROUNDS));
        if choice.kind == Kind::Bury {
            return POINT * buried(self.view, choice.cards.len()) - spent;
        }
        let ways = self.view.ways(choice);
        ways.iter().map(|way| self.worth(choice, way)).max().unwrap_or(0) - spent
    }

    fn worth(&self, play: &Choice, way: &Way) -> i64 {
        let claw = |card: Option<Card>| i64::from(card.is_some_and(|card| card.claw));
        let stays = play.stays().map_or(0, |card| i64::from(card.strength));
        let beaten = self.view.twist.card(way.territory);
        let behind = stays - i64::from(self.view.twist.strength_on(way.territory));
        let mut worth = -LEFT_OVER * self.rounds * behind;
        if let Some(place) = way.settle {
            let lived = self.view.island().card(place);
            worth += POINT * won(self.view, way.territory, way.settle);
            worth += CLAW * (claw(beaten) - claw(lived));
            worth += if lived.is_none() { self.fill } else { 0 };
        }
        worth
    }
}
