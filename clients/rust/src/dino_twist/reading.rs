//! Dino Twist from the wire: from messages to the values that bots see.

use super::choice::Choice;
use super::island::Island;
use super::material::{Card, Event, EventKind, Kind, Phase, Rules, Species, Territory};
use super::scoring::Score;
use super::view::{Graveyard, View};
use crate::errors::Unreadable;
use crate::v1;
use crate::words::Word;

/// The rule options of a match.
pub(crate) fn read_rules(sent: &v1::DinoTwistRules) -> Rules {
    let version = sent.version.max(1);
    Rules {
        version,
        claw_copies: sent.claw_copies.unwrap_or(1),
        claw_strengths: sent.claw_strengths.clone(),
        quiet_first_round: sent.quiet_first_round,
        graveyard_per_card: sent.graveyard_per_card,
        equals_in_seat_order: sent.equals_in_seat_order,
        attack_with_play: sent.attack_with_play,
        fizzled_returns: sent.fizzled_returns,
        attack_may_be_waived: sent.attack_may_be_waived,
        must_settle: sent.must_settle,
        bury_by_territory: if version == 1 { !sent.bury_by_species } else { sent.bury_by_territory },
        babies_reshuffled: sent.babies_reshuffled,
        others_draw_last: sent.others_draw_last,
        discard_in_turn: sent.discard_in_turn,
        island_bonus_ties: sent.island_bonus_ties.clone().unwrap_or("share".to_string()),
        small_seats: sent.small_seats.clone(),
    }
}

/// The choice that a message stands for.
pub(crate) fn read_choice(sent: &v1::DinoTwistChoice) -> Result<Choice, Unreadable> {
    Ok(Choice {
        kind: Kind::read(sent.kind)?,
        cards: read_cards(&sent.cards)?,
        species: Species::optional(sent.species)?,
        territory: Territory::optional(sent.territory)?,
        settle: Territory::optional(sent.settle)?,
        face_down: sent.face_down,
    })
}

/// The view that a message stands for.
pub(crate) fn read_view(
    sent: &v1::DinoTwistView,
    format: &str,
    rules: &Rules,
    seat: usize,
    legal: Vec<Choice>,
) -> Result<View, Unreadable> {
    let table = sent.table.as_ref().ok_or(Unreadable::new("view without a table", ""))?;
    let islands: Vec<Island> = table.islands.iter().map(read_island).collect::<Result<_, _>>()?;
    if seat >= islands.len() {
        return Err(Unreadable::new("seat", seat));
    }
    let mut plays = vec![None; if table.plays.is_empty() { 0 } else { islands.len() }];
    for revealed in &table.plays {
        let choice = revealed.choice.as_ref().map(read_choice).transpose()?;
        *plays.get_mut(revealed.seat as usize).ok_or(Unreadable::new("seat", revealed.seat))? = choice;
    }
    Ok(View {
        format: format.to_string(),
        rules: rules.clone(),
        seat,
        hand: read_cards(&sent.hand)?,
        discarded: read_cards(&sent.discarded)?,
        legal,
        round: table.round as usize,
        event: read_event(&table.event.unwrap_or_default())?,
        events: table.shown.iter().map(read_event).collect::<Result<_, _>>()?,
        phase: Phase::read(table.phase)?,
        asked: seats(&table.asked),
        twist: read_island(table.twist.as_ref().unwrap_or(&v1::DinoTwistIsland::default()))?,
        islands,
        graveyards: table.graveyards.iter().map(read_graveyard).collect::<Result<_, _>>()?,
        island_bonuses: table.island_bonuses.clone(),
        discards: read_cards(&table.discards)?,
        face_down: table.face_down.clone(),
        hand_sizes: table.hand_sizes.clone(),
        pile_size: table.pile_size,
        plays,
        waiting: table.waiting.iter().map(|group| seats(&group.seats)).collect(),
    })
}

/// The points by part, by seat.
pub(crate) fn read_scores(sent: &v1::DinoTwistScores) -> Vec<Score> {
    let score = |seat: &v1::DinoTwistScore| Score {
        total: seat.total.into(),
        parts: seat.parts.iter().map(|(part, &points)| (part.clone(), points.into())).collect(),
        claws: seat.claws as usize,
    };
    sent.scores.iter().map(score).collect()
}

fn seats(sent: &[u32]) -> Vec<usize> {
    sent.iter().map(|&seat| seat as usize).collect()
}

fn read_card(sent: &v1::DinoTwistCard) -> Result<Card, Unreadable> {
    Ok(Card { species: Species::read(sent.species)?, strength: sent.strength, claw: sent.claw })
}

fn read_cards(sent: &[v1::DinoTwistCard]) -> Result<Vec<Card>, Unreadable> {
    sent.iter().map(read_card).collect()
}

fn read_event(sent: &v1::DinoTwistEvent) -> Result<Event, Unreadable> {
    Ok(Event {
        kind: EventKind::optional(sent.kind)?,
        territory: Territory::optional(sent.territory)?,
        species: Species::optional(sent.species)?,
    })
}

fn read_island(sent: &v1::DinoTwistIsland) -> Result<Island, Unreadable> {
    let mut island = Island::default();
    for resident in &sent.residents {
        let card = resident.card.as_ref().ok_or(Unreadable::new("resident without a card", ""))?;
        island = island.with(Territory::read(resident.territory)?, read_card(card)?);
    }
    Ok(island)
}

fn read_graveyard(sent: &v1::DinoTwistGraveyard) -> Result<Graveyard, Unreadable> {
    sent.entries.iter().map(|entry| read_cards(&entry.cards)).collect()
}
