//! Draftosaurus from the wire: from messages to the values that bots see.

use super::choice::Choice;
use super::material::{Board, Face, Pen, Phase, Rules, Species, ZOO};
use super::scoring::Score;
use super::view::View;
use super::zoo::{Stands, Zoo};
use crate::errors::Unreadable;
use crate::v1;
use crate::words::Word;

/// The rule options of a match.
pub(crate) fn read_rules(sent: &v1::DraftosaurusRules) -> Rules {
    Rules {
        quarantine_may_stay: sent.quarantine_may_stay,
        five_player_die_hold: sent.five_player_die_hold,
        prairie_capacity: sent.prairie_capacity,
        place_after_reveal: sent.place_after_reveal,
    }
}

/// The choice that a message stands for.
pub(crate) fn read_choice(sent: &v1::DraftosaurusChoice) -> Result<Choice, Unreadable> {
    Ok(Choice {
        kind: Phase::read(sent.kind)?,
        species: Species::read(sent.species)?,
        pen: Pen::optional(sent.pen)?,
        slot: sent.slot,
    })
}

/// The view that a message stands for.
pub(crate) fn read_view(
    sent: &v1::DraftosaurusView,
    format: &str,
    rules: Rules,
    seat: usize,
    legal: Vec<Choice>,
) -> Result<View, Unreadable> {
    let table = sent.table.as_ref().ok_or(Unreadable::new("view without a table", ""))?;
    let board = Board::read(table.board)?;
    let zoos = read_zoos(&table.zoos, board, rules)?;
    if seat >= zoos.len() {
        return Err(Unreadable::new("seat", seat));
    }
    // Earlier games of a series are played on the boards before this one.
    let finished = table.finished.iter().map(|game| read_zoos(&game.zoos, Board::Summer, rules));
    Ok(View {
        format: format.to_string(),
        rules,
        seat,
        hand: read_all(&sent.hand)?,
        legal,
        board,
        phase: Phase::read(table.phase)?,
        turns_done: table.turns_done as usize,
        game: table.game as usize,
        round: table.round as usize,
        turn: table.turn as usize,
        roller: table.roller as usize,
        die: Face::optional(table.die)?,
        zoos,
        picks: read_all(&table.picks)?,
        removed: read_all(&table.removed)?,
        finished: finished.collect::<Result<_, _>>()?,
    })
}

/// The points by pen, by game of the match and by seat.
pub(crate) fn read_scores(sent: &v1::DraftosaurusScores) -> Vec<Vec<Score>> {
    let score = |seat: &v1::DraftosaurusScore| Score {
        total: seat.total.into(),
        parts: seat.parts.iter().map(|(part, &points)| (part.clone(), points.into())).collect(),
        t_rexes: seat.t_rexes as usize,
    };
    sent.games.iter().map(|game| game.scores.iter().map(score).collect()).collect()
}

fn read_all(sent: &[i32]) -> Result<Vec<Species>, Unreadable> {
    sent.iter().map(|&number| Species::read(number)).collect()
}

fn read_zoos(sent: &[v1::Zoo], board: Board, rules: Rules) -> Result<Vec<Zoo>, Unreadable> {
    sent.iter().map(|zoo| read_zoo(zoo, board, rules)).collect()
}

fn read_zoo(sent: &v1::Zoo, board: Board, rules: Rules) -> Result<Zoo, Unreadable> {
    let mut zoo = Zoo::empty(board, rules);
    for contents in &sent.pens {
        let pen = Pen::read(contents.pen)?;
        let stands: Stands =
            contents.dinosaurs.iter().map(|&number| Species::optional(number)).collect::<Result<_, _>>()?;
        let fits = if pen == Pen::Pyramid { stands.len() == 6 } else { stands.len() <= ZOO };
        if !fits || !board.pens().contains(&pen) {
            return Err(Unreadable::new("pen", pen));
        }
        zoo = zoo.with(pen, stands);
    }
    Ok(zoo)
}
