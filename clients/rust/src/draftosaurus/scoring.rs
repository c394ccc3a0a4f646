//! Points by pen, for a whole table of zoos.

use super::material::{Board, Pen, Species};
use super::zoo::{Counts, Zoo};

const ROW: [i64; 7] = [0, 2, 4, 8, 12, 18, 24];
const MEADOW: [i64; 7] = [0, 1, 3, 6, 10, 15, 21];
const PYRAMID: [i64; 7] = [0, 2, 4, 6, 10, 14, 21];

/// The points of one zoo, and the T-Rexes that decide ties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// All points.
    pub total: i64,
    /// Points by part: every pen of the board, LOVERS_BRIDGE for both banks, RIVER, T_REX_BONUS.
    pub parts: Vec<(String, i64)>,
    /// T-Rexes in the zoo.
    pub t_rexes: usize,
}

/// Everybody's points as the table stands.
pub fn scores(zoos: &[Zoo]) -> Vec<Score> {
    let score = |seat: usize| {
        let parts = parts(zoos, seat, &zoos[seat]);
        Score {
            total: parts.iter().map(|(_, points)| points).sum(),
            parts: parts.iter().map(|&(part, points)| (part.to_string(), points)).collect(),
            t_rexes: zoos[seat].count(Species::TRex),
        }
    };
    (0..zoos.len()).map(score).collect()
}

/// The points of a seat if its zoo were this one, the others' as they are.
pub fn points(zoos: &[Zoo], seat: usize, zoo: &Zoo) -> i64 {
    parts(zoos, seat, zoo).iter().map(|(_, points)| points).sum()
}

fn parts(zoos: &[Zoo], seat: usize, zoo: &Zoo) -> Vec<(&'static str, i64)> {
    let size = |pen| zoo.size_of(pen);
    let river = ("RIVER", size(Pen::River) as i64);
    let bonus = ("T_REX_BONUS", t_rex_bonus(zoo));
    let mine = zoo.counts();
    match zoo.board() {
        Board::Summer => {
            let others = || zoos.iter().enumerate().filter(|&(other, _)| other != seat);
            let is_king = zoo
                .inside(Pen::KingOfTheJungle)
                .any(|king| others().all(|(_, theirs)| theirs.count(king) <= mine[king.index()]));
            let is_alone = zoo.inside(Pen::SolitaryIsland).any(|only| mine[only.index()] == 1);
            let couples: usize = zoo.counts_in(Pen::PrairieOfLove).iter().map(|count| count / 2).sum();
            vec![
                ("FOREST_OF_SAMENESS", ROW[size(Pen::ForestOfSameness)]),
                ("WOODY_TRIO", if size(Pen::WoodyTrio) == 3 { 7 } else { 0 }),
                ("KING_OF_THE_JUNGLE", if is_king { 7 } else { 0 }),
                ("PRAIRIE_OF_LOVE", 5 * couples as i64),
                ("MEADOW_OF_DIFFERENCES", MEADOW[size(Pen::MeadowOfDifferences)]),
                ("SOLITARY_ISLAND", if is_alone { 7 } else { 0 }),
                river,
                bonus,
            ]
        }
        Board::Winter => {
            // On the right of seat i is seat i - 1.
            let on_the_right = &zoos[(seat + zoos.len() - 1) % zoos.len()];
            let seen: usize = zoo.inside(Pen::Lookout).map(|species| on_the_right.count(species)).sum();
            let (left, right): (Counts, Counts) =
                (zoo.counts_in(Pen::LoversBridgeLeft), zoo.counts_in(Pen::LoversBridgeRight));
            let couples: usize = left.iter().zip(right).map(|(&one, other)| one.min(other)).sum();
            vec![
                ("WELL_ORDERED_WOOD", ROW[size(Pen::WellOrderedWood)]),
                ("LOOKOUT", 2 * seen as i64),
                ("LOVERS_BRIDGE", 6 * couples as i64),
                ("PYRAMID", PYRAMID[size(Pen::Pyramid)]),
                river,
                bonus,
            ]
        }
    }
}

/// One point for every pen with a T-Rex: the river never, Quarantine where one may stay there.
fn t_rex_bonus(zoo: &Zoo) -> i64 {
    let pays = |pen| match pen {
        Pen::River => false,
        Pen::Quarantine => zoo.rules().quarantine_may_stay,
        _ => true,
    };
    let has_one = |pen| zoo.inside(pen).any(|species| species == Species::TRex);
    zoo.board().pens().iter().filter(|&&pen| pays(pen) && has_one(pen)).count() as i64
}
