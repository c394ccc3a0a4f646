//! The material: species, die faces, pens and boards, as printed, and the rule options.

use crate::words::words;

words! {
    /// A kind of dinosaur, in the order that dealing uses.
    Species {
        /// One point more for every pen that has one; breaks ties.
        TRex = 1, "T_REX";
        /// Diplodocus.
        Diplodocus = 2, "DIPLODOCUS";
        /// Triceratops.
        Triceratops = 3, "TRICERATOPS";
        /// Spinosaurus.
        Spinosaurus = 4, "SPINOSAURUS";
        /// Stegosaurus.
        Stegosaurus = 5, "STEGOSAURUS";
        /// Parasaurolophus.
        Parasaurolophus = 6, "PARASAUROLOPHUS";
    }
}

words! {
    /// A place in a zoo: the six pens of either board, and the river.
    Pen {
        /// Summer: one species only.
        ForestOfSameness = 1, "FOREST_OF_SAMENESS";
        /// Summer: three of any species.
        WoodyTrio = 2, "WOODY_TRIO";
        /// Summer: one; pays if nobody has more of its species.
        KingOfTheJungle = 3, "KING_OF_THE_JUNGLE";
        /// Summer: couples of one species.
        PrairieOfLove = 4, "PRAIRIE_OF_LOVE";
        /// Summer: no species twice.
        MeadowOfDifferences = 5, "MEADOW_OF_DIFFERENCES";
        /// Summer: one; pays if it is the only one of its species in the zoo.
        SolitaryIsland = 6, "SOLITARY_ISLAND";
        /// Winter: two species, strictly alternating.
        WellOrderedWood = 7, "WELL_ORDERED_WOOD";
        /// Winter: one; pays for its species in the zoo on the right.
        Lookout = 8, "LOOKOUT";
        /// Winter: the left bank; couples have one member on each bank.
        LoversBridgeLeft = 9, "LOVERS_BRIDGE_LEFT";
        /// Winter: the right bank.
        LoversBridgeRight = 10, "LOVERS_BRIDGE_RIGHT";
        /// Winter: six slots in three rows; equals may not touch.
        Pyramid = 11, "PYRAMID";
        /// Winter: one, which moves elsewhere before scoring.
        Quarantine = 12, "QUARANTINE";
        /// Both boards: always open, one point each.
        River = 13, "RIVER";
    }
}

words! {
    /// A face of the die: which pens a seat that did not roll may use.
    Face {
        /// Pens of the woodlands.
        Woodlands = 1, "WOODLANDS";
        /// Pens of the grasslands.
        Grasslands = 2, "GRASSLANDS";
        /// Pens right of the river.
        Restrooms = 3, "RESTROOMS";
        /// Pens left of the river.
        FoodCourt = 4, "FOOD_COURT";
        /// Pens with nothing in them.
        EmptyPen = 5, "EMPTY_PEN";
        /// Pens with no T-Rex in them.
        NoTRex = 6, "NO_T_REX";
    }
}

words! {
    /// A side of the board.
    Board {
        /// The summer side.
        Summer = 1, "SUMMER";
        /// The winter side.
        Winter = 2, "WINTER";
    }
}

words! {
    /// What is being decided, and what a choice is.
    Phase {
        /// Pick a dinosaur; only where placing comes after the reveal.
        Pick = 1, "PICK";
        /// Place a dinosaur in a pen.
        Place = 2, "PLACE";
        /// Remove a dinosaur from the game; two players only.
        Remove = 3, "REMOVE";
        /// Move the dinosaur in quarantine.
        Move = 4, "MOVE";
        /// Nothing: the match is over.
        Over = 5, "OVER";
    }
}

/// The rule options of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The dinosaur in quarantine may be left there.
    pub quarantine_may_stay: bool,
    /// Five seats: the die is kept for the sixth turn of a round, and then binds everybody.
    pub five_player_die_hold: bool,
    /// How many the prairie holds; None: any number.
    pub prairie_capacity: Option<u32>,
    /// All pick, all reveal, then all place.
    pub place_after_reveal: bool,
}

/// The places of a zoo.
pub const PLACES: usize = 7;
/// The dinosaurs of a zoo at the end of a game, and the turns of a game.
pub const ZOO: usize = 12;

impl Board {
    /// The pens of the board in their order, the river last.
    pub fn pens(self) -> &'static [Pen; PLACES] {
        match self {
            Board::Summer => &[
                Pen::ForestOfSameness,
                Pen::WoodyTrio,
                Pen::KingOfTheJungle,
                Pen::PrairieOfLove,
                Pen::MeadowOfDifferences,
                Pen::SolitaryIsland,
                Pen::River,
            ],
            Board::Winter => &[
                Pen::WellOrderedWood,
                Pen::Lookout,
                Pen::LoversBridgeLeft,
                Pen::LoversBridgeRight,
                Pen::Pyramid,
                Pen::Quarantine,
                Pen::River,
            ],
        }
    }
}

impl Pen {
    /// Its index on its board.
    pub(crate) fn place(self) -> usize {
        match self {
            Pen::River => PLACES - 1,
            _ => self.index() % (PLACES - 1),
        }
    }

    /// The faces for the section and the side that it lies in; None: the river.
    pub(crate) fn lies_in(self) -> Option<[Face; 2]> {
        use Face::{FoodCourt, Grasslands, Restrooms, Woodlands};
        match self {
            Pen::ForestOfSameness | Pen::WoodyTrio | Pen::WellOrderedWood | Pen::LoversBridgeLeft => {
                Some([Woodlands, FoodCourt])
            }
            Pen::KingOfTheJungle | Pen::Lookout => Some([Woodlands, Restrooms]),
            Pen::PrairieOfLove | Pen::Quarantine => Some([Grasslands, FoodCourt]),
            Pen::MeadowOfDifferences | Pen::SolitaryIsland | Pen::LoversBridgeRight | Pen::Pyramid => {
                Some([Grasslands, Restrooms])
            }
            Pen::River => None,
        }
    }
}
