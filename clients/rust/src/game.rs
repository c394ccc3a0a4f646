//! Values of any game: rule options, views, choices and scores.

use std::fmt;

use crate::errors::Unreadable;
use crate::{dino_twist, draftosaurus, v1};

/// The rule options of a match, by game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Draftosaurus.
    Draftosaurus(draftosaurus::Rules),
    /// Dino Twist.
    DinoTwist(dino_twist::Rules),
}

/// What a seat knows, by game.
#[derive(Clone, Debug)]
pub enum View {
    /// Draftosaurus.
    Draftosaurus(draftosaurus::View),
    /// Dino Twist.
    DinoTwist(dino_twist::View),
}

/// A choice, by game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Draftosaurus.
    Draftosaurus(draftosaurus::Choice),
    /// Dino Twist.
    DinoTwist(dino_twist::Choice),
}

/// The points of a match in detail, by game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scores {
    /// Draftosaurus: by game of the match, then by seat.
    Draftosaurus(Vec<Vec<draftosaurus::Score>>),
    /// Dino Twist: by seat.
    DinoTwist(Vec<dino_twist::Score>),
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Draftosaurus(choice) => choice.fmt(out),
            Choice::DinoTwist(choice) => choice.fmt(out),
        }
    }
}

impl Choice {
    /// Whether the referee takes them for the same: the order of cards does not matter.
    pub(crate) fn is(&self, other: &Choice) -> bool {
        match (self, other) {
            (Choice::DinoTwist(one), Choice::DinoTwist(other)) => one.in_order() == other.in_order(),
            _ => self == other,
        }
    }
}

/// All formats that this client can read, of both games.
pub(crate) fn formats() -> impl Iterator<Item = &'static str> {
    draftosaurus::FORMATS.into_iter().chain(dino_twist::FORMATS)
}

/// The version of a game's rules that this client knows; None: it does not know the game.
pub(crate) fn rules_version(game: &str) -> Option<u32> {
    match game {
        "draftosaurus" => Some(draftosaurus::RULES_VERSION),
        "dino_twist" => Some(dino_twist::RULES_VERSION),
        _ => None,
    }
}

/// The rule options of a match that begins.
pub(crate) fn read_rules(message: &v1::MatchStarted) -> Result<Rules, Unreadable> {
    use v1::match_started::Rules as Sent;
    match &message.rules {
        Some(Sent::Draftosaurus(sent)) => Ok(Rules::Draftosaurus(draftosaurus::read_rules(sent))),
        Some(Sent::DinoTwist(sent)) => Ok(Rules::DinoTwist(dino_twist::read_rules(sent))),
        None => Err(Unreadable::new("format", &message.format)),
    }
}

/// The choice in a message.
pub(crate) fn read_choice(message: &v1::GameChoice) -> Result<Choice, Unreadable> {
    use v1::game_choice::Game as Sent;
    match &message.game {
        Some(Sent::Draftosaurus(sent)) => Ok(Choice::Draftosaurus(draftosaurus::read_choice(sent)?)),
        Some(Sent::DinoTwist(sent)) => Ok(Choice::DinoTwist(dino_twist::read_choice(sent)?)),
        None => Err(Unreadable::new("choice of an unknown game", "")),
    }
}

/// The view and the legal choices in an ask.
pub(crate) fn read_view(
    ask: &v1::Ask,
    format: &str,
    rules: &Rules,
) -> Result<(View, Vec<Choice>), Unreadable> {
    use v1::game_view::Game as Sent;
    let seat = ask.seat as usize;
    let legal: Vec<Choice> = ask.choices.iter().map(read_choice).collect::<Result<_, _>>()?;
    if legal.is_empty() {
        return Err(Unreadable::new("ask without a single legal choice", ""));
    }
    let sent = ask.view.as_ref().and_then(|view| view.game.as_ref());
    let view = match (sent, rules) {
        (Some(Sent::Draftosaurus(sent)), Rules::Draftosaurus(rules)) => {
            let own = legal.iter().filter_map(|choice| match choice {
                Choice::Draftosaurus(choice) => Some(*choice),
                Choice::DinoTwist(_) => None,
            });
            View::Draftosaurus(draftosaurus::read_view(sent, format, *rules, seat, own.collect())?)
        }
        (Some(Sent::DinoTwist(sent)), Rules::DinoTwist(rules)) => {
            let own = legal.iter().filter_map(|choice| match choice {
                Choice::DinoTwist(choice) => Some(choice.clone()),
                Choice::Draftosaurus(_) => None,
            });
            View::DinoTwist(dino_twist::read_view(sent, format, rules, seat, own.collect())?)
        }
        _ => return Err(Unreadable::new("view of another game than", format)),
    };
    Ok((view, legal))
}

/// The points of a match that ended.
pub(crate) fn read_scores(message: &v1::MatchEnded) -> Option<Scores> {
    use v1::match_ended::Scores as Sent;
    Some(match message.scores.as_ref()? {
        Sent::Draftosaurus(sent) => Scores::Draftosaurus(draftosaurus::read_scores(sent)),
        Sent::DinoTwist(sent) => Scores::DinoTwist(dino_twist::read_scores(sent)),
    })
}
