//! A zoo: the pens of one seat and the river, who may still enter them, and what it then becomes.

use super::choice::Choice;
use super::material::{Board, Face, PLACES, Pen, Phase, Rules, Species, ZOO};

/// How many there are of each species, by the species' index.
pub type Counts = [usize; 6];

/// The rows of the pyramid; the lowest that is not full is the open one.
const ROWS: [&[usize]; 3] = [&[0, 1, 2], &[3, 4], &[5]];
/// By slot of the pyramid: the slots that touch it.
const TOUCHING: [&[usize]; 6] = [&[1, 3], &[0, 2, 3, 4], &[1, 4], &[0, 1, 4, 5], &[1, 2, 3, 5], &[3, 4]];

/// Who stands in a pen: in the pyramid by slot, None where it is free; in the well-ordered wood
/// from left to right; elsewhere in the order of the species.
pub type Stands = Vec<Option<Species>>;

/// The seven places of one seat: its six pens in board order, then the river.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zoo {
    board: Board,
    rules: Rules,
    places: [Stands; PLACES],
}

impl Zoo {
    /// A zoo in which nobody stands yet.
    pub fn empty(board: Board, rules: Rules) -> Self {
        let mut places: [Stands; PLACES] = Default::default();
        if board == Board::Winter {
            places[Pen::Pyramid.place()] = vec![None; TOUCHING.len()];
        }
        Zoo { board, rules, places }
    }

    /// The zoo with this in a pen of its board.
    pub(crate) fn with(mut self, pen: Pen, stands: Stands) -> Self {
        self.places[pen.place()] = stands;
        self
    }

    /// The side of the board it stands on.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The rule options that it stands under.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Who stands in a pen of this board; nobody in a pen of the other.
    pub fn pen(&self, pen: Pen) -> &[Option<Species>] {
        if self.board.pens().contains(&pen) { &self.places[pen.place()] } else { &[] }
    }

    /// The dinosaurs in a pen, free slots left out.
    pub fn inside(&self, pen: Pen) -> impl DoubleEndedIterator<Item = Species> {
        self.pen(pen).iter().flatten().copied()
    }

    /// How many stand in a pen.
    pub fn size_of(&self, pen: Pen) -> usize {
        self.inside(pen).count()
    }

    /// How many dinosaurs are in the zoo.
    pub fn size(&self) -> usize {
        self.places.iter().flatten().flatten().count()
    }

    /// How many of each species are in a pen.
    pub fn counts_in(&self, pen: Pen) -> Counts {
        counted(self.inside(pen))
    }

    /// How many of each species are in the zoo, the river included.
    pub fn counts(&self) -> Counts {
        counted(self.places.iter().flatten().flatten().copied())
    }

    /// How many of this species are in the zoo, the river included.
    pub fn count(&self, species: Species) -> usize {
        self.counts()[species.index()]
    }

    /// Whether a pen takes a dinosaur by its own rules, whatever the die shows.
    pub fn takes(&self, pen: Pen, species: Species, slot: usize) -> bool {
        if pen != Pen::Pyramid && slot != 0 {
            return false;
        }
        let stands = self.pen(pen);
        let size = stands.len();
        let has = |species| stands.contains(&Some(species));
        match pen {
            Pen::ForestOfSameness => size == 0 || (size < 6 && has(species)),
            Pen::WoodyTrio => size < 3,
            Pen::KingOfTheJungle | Pen::SolitaryIsland | Pen::Lookout | Pen::Quarantine => size < 1,
            Pen::PrairieOfLove => size < self.rules.prairie_capacity.map_or(ZOO, |most| most as usize),
            Pen::MeadowOfDifferences => !has(species),
            Pen::WellOrderedWood if size < 2 => !has(species),
            Pen::WellOrderedWood => size < 6 && stands[size - 2] == Some(species),
            Pen::LoversBridgeLeft | Pen::LoversBridgeRight | Pen::River => size < ZOO,
            Pen::Pyramid => {
                let open = ROWS.iter().find(|row| row.iter().any(|&slot| stands[slot].is_none()));
                open.is_some_and(|row| row.contains(&slot))
                    && stands[slot].is_none()
                    && TOUCHING[slot].iter().all(|&near| stands[near] != Some(species))
            }
        }
    }

    /// Whether the die lets a pen be used; the river is always open.
    pub fn is_open(&self, pen: Pen, face: Face) -> bool {
        let Some(lies_in) = pen.lies_in() else {
            return true;
        };
        match face {
            Face::EmptyPen => self.size_of(pen) == 0,
            Face::NoTRex => self.inside(pen).all(|species| species != Species::TRex),
            _ => lies_in.contains(&face),
        }
    }

    /// The placements that the pens allow, the die apart: by pen as on the board, then by slot,
    /// then by species.
    pub fn placements(&self, species: &[Species]) -> Vec<Choice> {
        let mut choices = Vec::new();
        for &pen in self.board.pens() {
            let slots = if pen == Pen::Pyramid { TOUCHING.len() } else { 1 };
            for slot in 0..slots {
                for &species in species {
                    if self.takes(pen, species, slot) {
                        choices.push(Choice {
                            kind: Phase::Place,
                            species,
                            pen: Some(pen),
                            slot: slot as u32,
                        });
                    }
                }
            }
        }
        choices
    }

    /// The zoo after a PLACE, which must be one that its pen allows.
    pub fn plus(&self, choice: &Choice) -> Zoo {
        let mut zoo = self.clone();
        if let Some(pen) = choice.pen {
            let stands = &mut zoo.places[pen.place()];
            match pen {
                Pen::Pyramid => stands[choice.slot as usize] = Some(choice.species),
                Pen::WellOrderedWood => stands.push(Some(choice.species)),
                _ => {
                    stands.push(Some(choice.species));
                    stands.sort();
                }
            }
        }
        zoo
    }

    /// The zoo after a MOVE; into QUARANTINE: the dinosaur stayed.
    pub fn moved(&self, choice: &Choice) -> Zoo {
        if choice.pen == Some(Pen::Quarantine) {
            return self.clone();
        }
        self.plus(choice).with(Pen::Quarantine, Vec::new())
    }
}

/// How many there are of each species.
pub(crate) fn counted(dinosaurs: impl Iterator<Item = Species>) -> Counts {
    let mut counts = Counts::default();
    for species in dinosaurs {
        counts[species.index()] += 1;
    }
    counts
}
