//! An ask: a decision that the referee wants from a bot, and the answer to it.

use std::sync::Arc;

use rand::rngs::StdRng;

use crate::dice::Dice;
use crate::errors::Unreadable;
use crate::game::{Choice, View, read_view};
use crate::matches::{Match, read_match};
use crate::{dino_twist, draftosaurus, v1};

/// A decision for a bot: its view and its legal choices.
#[derive(Debug)]
pub struct Ask {
    /// Names the ask, everywhere and for good.
    pub id: u64,
    /// The match it belongs to.
    pub match_: Arc<Match>,
    /// What this seat knows.
    pub view: View,
    /// What this seat may choose; never empty.
    pub legal: Vec<Choice>,
    /// Milliseconds that this decision may take before the bank is touched.
    pub time_ms: u32,
    /// Milliseconds left in the bank.
    pub bank_ms: u32,
    dice: Dice,
}

impl Ask {
    /// The ask in a message; `match_seed` and `decision` are for its dice.
    pub(crate) fn read(message: &v1::Ask, match_: &Arc<Match>, dice: Dice) -> Result<Self, Unreadable> {
        let (view, legal) = read_view(message, &match_.format, &match_.rules)?;
        Ok(Ask {
            id: message.ask_id,
            match_: Arc::clone(match_),
            view,
            legal,
            time_ms: message.time_ms,
            bank_ms: message.bank_ms,
            dice,
        })
    }

    /// The ask in a recorded message, for tests and replays.
    pub fn recorded(started: &v1::MatchStarted, ask: &v1::Ask, dice: Dice) -> Result<Self, Unreadable> {
        Ask::read(ask, &Arc::new(read_match(started)?), dice)
    }

    /// A random number from 0 to n - 1 for this decision, the same in every language.
    pub fn below(&self, n: usize) -> usize {
        self.dice.below(n)
    }

    /// A generator of Rust's own for this decision; every call gives another one. With it
    /// `paddock compare` needs fewer matches.
    pub fn rng(&self) -> StdRng {
        self.dice.rng()
    }

    /// The number of the choice that the referee makes for a bot that does not answer: the first
    /// one into the river, or the first of all.
    pub fn default_number(&self) -> usize {
        let is_river = |choice: &Choice| match choice {
            Choice::Draftosaurus(choice) => choice.pen == Some(draftosaurus::Pen::River),
            Choice::DinoTwist(_) => false,
        };
        self.legal.iter().position(is_river).unwrap_or(0)
    }

    /// The choice of the referee for a bot that does not answer.
    pub fn default_choice(&self) -> &Choice {
        &self.legal[self.default_number()]
    }

    /// The number of the legal choice that an answer stands for; else what is wrong with it.
    pub(crate) fn number_of(&self, answer: &Answer) -> Result<usize, String> {
        match answer {
            Answer::Number(number) if *number < self.legal.len() => Ok(*number),
            Answer::Number(number) => Err(format!(
                "choose returned {number}, which is not below the number of legal choices, {}",
                self.legal.len()
            )),
            Answer::Choice(choice) => {
                let number = self.legal.iter().position(|legal| legal.is(choice));
                number.ok_or_else(|| format!("choose returned {choice}, which is not one of ask.legal"))
            }
        }
    }
}

/// The answer of a bot: a legal choice, or its number in `Ask::legal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The index of one of the legal choices.
    Number(usize),
    /// Or the choice itself.
    Choice(Choice),
}

impl From<usize> for Answer {
    fn from(number: usize) -> Self {
        Answer::Number(number)
    }
}

impl From<Choice> for Answer {
    fn from(choice: Choice) -> Self {
        Answer::Choice(choice)
    }
}

impl From<&Choice> for Answer {
    fn from(choice: &Choice) -> Self {
        Answer::Choice(choice.clone())
    }
}

impl From<draftosaurus::Choice> for Answer {
    fn from(choice: draftosaurus::Choice) -> Self {
        Answer::Choice(Choice::Draftosaurus(choice))
    }
}

impl From<dino_twist::Choice> for Answer {
    fn from(choice: dino_twist::Choice) -> Self {
        Answer::Choice(Choice::DinoTwist(choice))
    }
}
