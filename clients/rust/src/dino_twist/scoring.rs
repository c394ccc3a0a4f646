//! Points: island, graveyard, and the two bonuses.

use super::view::View;

const GRAVEYARD: i64 = 2;
const CLAW_BONUS: i64 = 7;

/// The points of one seat, and the claws on its island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// All points.
    pub total: i64,
    /// Points by part: ISLAND, GRAVEYARD, ISLAND_BONUS and CLAW_BONUS.
    pub parts: Vec<(String, i64)>,
    /// Cards with a claw on the island.
    pub claws: usize,
}

/// What a number of cards is worth when they come into a graveyard together.
pub(crate) fn buried(view: &View, cards: usize) -> i64 {
    GRAVEYARD * if view.rules.graveyard_per_card { cards as i64 } else { 1 }
}

/// Everybody's points as the table stands.
pub(crate) fn scores(view: &View) -> Vec<Score> {
    let most = view.islands.iter().map(|island| island.claws()).max().unwrap_or(0);
    let score = |seat: usize| {
        let island = &view.islands[seat];
        let graveyard = view.graveyards.get(seat).into_iter().flatten();
        let claws = island.claws();
        let parts = [
            ("ISLAND", i64::from(island.strength())),
            ("GRAVEYARD", graveyard.map(|entry| buried(view, entry.len())).sum()),
            ("ISLAND_BONUS", view.island_bonuses.get(seat).map_or(0, |&bonus| bonus.into())),
            ("CLAW_BONUS", if claws == most && most > 0 { CLAW_BONUS } else { 0 }),
        ];
        Score {
            total: parts.iter().map(|(_, points)| points).sum(),
            parts: parts.iter().map(|&(part, points)| (part.to_string(), points)).collect(),
            claws,
        }
    };
    (0..view.seats()).map(score).collect()
}
