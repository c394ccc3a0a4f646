//! The material: species, territories, events and cards, as printed, and the rule options.

use std::fmt;

use crate::words::words;

words! {
    /// A kind of Dino, in the order that dealing uses.
    Species {
        /// Lives on BEACH and SEA.
        Aqua = 1, "AQUA";
        /// Lives in JUNGLE and DESERT.
        Karni = 2, "KARNI";
        /// Lives on RIVERSIDE and HILL.
        Herbi = 3, "HERBI";
        /// Lives on MOUNTAINS and CLIFF.
        Voli = 4, "VOLI";
    }
}

words! {
    /// A place on an island; Twist Island and every seat's island have them all.
    Territory {
        /// For VOLI.
        Mountains = 1, "MOUNTAINS";
        /// For VOLI.
        Cliff = 2, "CLIFF";
        /// For KARNI.
        Jungle = 3, "JUNGLE";
        /// For KARNI.
        Desert = 4, "DESERT";
        /// For HERBI.
        Riverside = 5, "RIVERSIDE";
        /// For HERBI.
        Hill = 6, "HILL";
        /// For AQUA.
        Beach = 7, "BEACH";
        /// For AQUA.
        Sea = 8, "SEA";
    }
}

words! {
    /// What an event card does.
    EventKind {
        /// A territory of Twist Island can't be attacked this round.
        Meteor = 1, "METEOR";
        /// Plays of a species count 3 more.
        Fury = 2, "FURY";
        /// It is discarded for the next event; as the last one it ends the game.
        Volcano = 3, "VOLCANO";
        /// Up to three cards of one species may be played.
        NeverTwoWithoutThree = 4, "NEVER_TWO_WITHOUT_THREE";
        /// No Duo this round.
        Alone = 5, "ALONE";
        /// A captured Dino may settle on either territory of its species.
        Earthquake = 6, "EARTHQUAKE";
        /// The two Dinos of every species on Twist Island swap places.
        Tornado = 7, "TORNADO";
        /// Everybody may discard up to three cards and draws up to seven.
        NewGenerations = 8, "NEW_GENERATIONS";
        /// Every play counts 2 more.
        Carnage = 9, "CARNAGE";
        /// A Duo of two species is allowed.
        Help = 10, "HELP";
    }
}

words! {
    /// What is being decided.
    Phase {
        /// Discard up to three cards; under NEW_GENERATIONS only.
        Discard = 1, "DISCARD";
        /// Play one card or more, or bury two.
        Play = 2, "PLAY";
        /// Attack with the play that was revealed, and settle what is beaten.
        Attack = 3, "ATTACK";
        /// Nothing: the match is over.
        Over = 4, "OVER";
    }
}

words! {
    /// What a choice is.
    Kind {
        /// One card or more to attack with.
        Play = 1, "PLAY";
        /// Two cards into the graveyard, for everybody to see.
        Bury = 2, "BURY";
        /// What is attacked, and where the beaten Dino settles.
        Attack = 3, "ATTACK";
        /// Up to three cards onto the discard pile.
        Discard = 4, "DISCARD";
    }
}

impl Species {
    /// The two territories that it lives on.
    pub fn territories(self) -> [Territory; 2] {
        match self {
            Species::Aqua => [Territory::Beach, Territory::Sea],
            Species::Karni => [Territory::Jungle, Territory::Desert],
            Species::Herbi => [Territory::Riverside, Territory::Hill],
            Species::Voli => [Territory::Mountains, Territory::Cliff],
        }
    }
}

impl Territory {
    /// The species that lives there.
    pub fn species(self) -> Species {
        match self {
            Territory::Mountains | Territory::Cliff => Species::Voli,
            Territory::Jungle | Territory::Desert => Species::Karni,
            Territory::Riverside | Territory::Hill => Species::Herbi,
            Territory::Beach | Territory::Sea => Species::Aqua,
        }
    }
}

/// A Dino card; copies that are alike are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Card {
    /// Its species.
    pub species: Species,
    /// 2 to 10; a baby has 1.
    pub strength: u32,
    /// Whether it carries a claw.
    pub claw: bool,
}

impl Card {
    /// The order of cards: by species, then strength, claws first.
    pub(crate) fn rank(&self) -> (Species, u32, bool) {
        (self.species, self.strength, !self.claw)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claw = if self.claw { "-CLAW" } else { "" };
        write!(out, "{}-{}{claw}", self.species, self.strength)
    }
}

/// An event card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// What it does; None: no event applies.
    pub kind: Option<EventKind>,
    /// The territory of a METEOR.
    pub territory: Option<Territory>,
    /// The species of a FURY.
    pub species: Option<Species>,
}

impl Event {
    /// What a play of this species counts more.
    pub fn bonus(&self, species: Species) -> u32 {
        match self.kind {
            Some(EventKind::Carnage) => 2,
            Some(EventKind::Fury) if self.species == Some(species) => 3,
            _ => 0,
        }
    }
}

/// The rule options of a match, and the version of the rules; docs/rules/dino-twist.md tells what
/// each of them does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The version of the rules that the match is played by.
    pub version: u32,
    /// How many of the three copies of a card carry a claw.
    pub claw_copies: u32,
    /// The strengths whose copies all carry a claw, such as "9 10"; empty: claw_copies counts.
    pub claw_strengths: String,
    /// The first event does not apply.
    pub quiet_first_round: bool,
    /// A graveyard entry gives its points for every card in it.
    pub graveyard_per_card: bool,
    /// Plays of equal strength act one after the other in seat order.
    pub equals_in_seat_order: bool,
    /// The attacked territory is named with the play.
    pub attack_with_play: bool,
    /// A play without a target goes back to the hand.
    pub fizzled_returns: bool,
    /// An attack that is possible need not be made.
    pub attack_may_be_waived: bool,
    /// A captured Dino may never be discarded.
    pub must_settle: bool,
    /// For burying, only the Dino on the same territory of Twist Island is compared.
    pub bury_by_territory: bool,
    /// Babies that leave play go to the discard pile.
    pub babies_reshuffled: bool,
    /// Cancelled and burying seats draw after those that act.
    pub others_draw_last: bool,
    /// NEW_GENERATIONS: seat by seat, each draws before the next discards.
    pub discard_in_turn: bool,
    /// What islands that fill up in the same round get: "share", "skip" or "in_turn".
    pub island_bonus_ties: String,
    /// The seats that have a Small T-Rex island, such as "02".
    pub small_seats: String,
}

impl Rules {
    /// Whether a beaten Dino may be discarded even where it could settle on an empty territory.
    pub fn need_not_settle(&self) -> bool {
        self.version == 1 && !self.must_settle
    }
}
