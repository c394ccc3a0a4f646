//! Matches as bots see them: seats, rules and clock, events and results.

use crate::digest::sha256;
use crate::errors::Unreadable;
use crate::game::{Choice, Rules, Scores, read_choice, read_rules, read_scores};
use crate::v1;
use crate::words::{Word, words};

/// The bot in a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// Its name.
    pub bot: String,
    /// Its version.
    pub version: String,
    /// Its owner.
    pub owner: String,
    /// The share of a core that it has at least, where the arena runs it; 0: it does not, or promises
    /// none.
    pub cpu_share: f64,
}

/// How time is counted, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What every decision may take.
    pub base_ms: u32,
    /// What all overruns of a match may take together.
    pub bank_ms: u32,
    /// The most of a decision's time that is put down to the network.
    pub lag_allowance_ms: u32,
    /// A seat that faults this many times in a row forfeits.
    pub max_faults: u32,
}

/// A match that this bot plays in.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Names the match, everywhere and for good.
    pub id: String,
    /// The format, such as "winter".
    pub format: String,
    /// Who plays, by seat.
    pub seats: Vec<Seat>,
    /// Which seat is this bot's.
    pub seat: usize,
    /// The rule options.
    pub rules: Rules,
    /// How time is counted.
    pub clock: Clock,
    /// SHA-256 of the seed that the deal comes from.
    pub commitment: Vec<u8>,
    /// The tournament it belongs to; else empty.
    pub tournament: String,
    /// The server's part of the seed of this bot's dice.
    pub dice: Vec<u8>,
}

words! {
    /// Why the referee chose for a seat.
    Fault {
        /// No answer in time.
        Timeout = 1, "TIMEOUT";
        /// Answers that the rules do not allow, and none that they do.
        Illegal = 2, "ILLEGAL";
        /// Answers that could not be read, and none that could.
        Malformed = 3, "MALFORMED";
        /// The bot was not connected.
        Disconnected = 4, "DISCONNECTED";
        /// The bot had resigned.
        Resigned = 5, "RESIGNED";
        /// A fault that only a newer server knows.
        Other = 6, "OTHER";
    }
}

/// The choice of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revealed {
    /// Whose.
    pub seat: usize,
    /// What; None where a newer server knows more than this client.
    pub choice: Option<Choice>,
    /// Why the referee chose it; None: the bot chose.
    pub fault: Option<Fault>,
}

/// What everybody chose in one step of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which step of the match, from 0.
    pub step: u32,
    /// The choices of the seats that were asked.
    pub revealed: Vec<Revealed>,
}

/// The result of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// Points.
    pub total: i32,
    /// 1 is best; equals share.
    pub rank: u32,
    /// Whether the referee had to play the seat out.
    pub forfeit: bool,
    /// Decisions that the referee made.
    pub faults: u32,
    /// Decisions that the bot's client made.
    pub fallbacks: u32,
}

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// By seat.
    pub seats: Vec<SeatResult>,
    /// The points in detail; None: a game that this client does not know.
    pub scores: Option<Scores>,
    /// The seed that the deal came from; empty while other matches are to play the same deal.
    pub seed: Vec<u8>,
    /// The nonces, by seat.
    pub nonces: Vec<Vec<u8>>,
    /// Why the match counts for nothing; empty: it counts.
    pub void_reason: String,
}

impl Summary {
    /// Whether the seed is the one that the server committed to before the deal; None: it is still
    /// secret.
    pub fn kept_its_word(&self, match_: &Match) -> Option<bool> {
        (!self.seed.is_empty()).then(|| sha256(&[&self.seed])[..] == match_.commitment)
    }
}

/// An answer that did not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which ask.
    pub ask_id: u64,
    /// Stable, such as choice/stale.
    pub reason: String,
    /// What is wrong, and what to do.
    pub sentence: String,
}

/// The match in a message.
pub(crate) fn read_match(message: &v1::MatchStarted) -> Result<Match, Unreadable> {
    let clock = message.clock.unwrap_or_default();
    let seat = |seat: &v1::Seat| Seat {
        bot: seat.bot.clone(),
        version: seat.version.clone(),
        owner: seat.owner.clone(),
        cpu_share: seat.cpu_share,
    };
    Ok(Match {
        id: message.match_id.clone(),
        format: message.format.clone(),
        seats: message.seats.iter().map(seat).collect(),
        seat: seat_of(message)?,
        rules: read_rules(message)?,
        clock: Clock {
            base_ms: clock.base_ms,
            bank_ms: clock.bank_ms,
            lag_allowance_ms: clock.lag_allowance_ms,
            max_faults: clock.max_faults,
        },
        commitment: message.commitment.clone(),
        tournament: message.tournament.clone(),
        dice: message.dice.clone(),
    })
}

/// The seat of this bot, which is one of the match.
fn seat_of(message: &v1::MatchStarted) -> Result<usize, Unreadable> {
    let (seat, seats) = (message.seat as usize, message.seats.len());
    if seat < seats { Ok(seat) } else { Err(Unreadable::new("seat", format!("{seat} of {seats}"))) }
}

/// The event in a message.
pub(crate) fn read_event(message: &v1::Happened) -> Event {
    let revealed = |shown: &v1::Revealed| Revealed {
        seat: shown.seat as usize,
        choice: shown.choice.as_ref().and_then(|choice| read_choice(choice).ok()),
        fault: Fault::optional(shown.fault).unwrap_or(Some(Fault::Other)),
    };
    Event { step: message.step, revealed: message.revealed.iter().map(revealed).collect() }
}

/// The result in a message.
pub(crate) fn read_summary(message: &v1::MatchEnded) -> Summary {
    let seat = |seat: &v1::SeatResult| SeatResult {
        total: seat.total,
        rank: seat.rank,
        forfeit: seat.forfeit,
        faults: seat.faults,
        fallbacks: seat.fallbacks,
    };
    Summary {
        seats: message.seats.iter().map(seat).collect(),
        scores: read_scores(message),
        seed: message.seed.clone(),
        nonces: message.nonces.clone(),
        void_reason: message.void_reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_tells_the_share_of_a_core_of_every_seat() {
        let seat = |bot: &str, cpu_share| v1::Seat { bot: bot.into(), cpu_share, ..Default::default() };
        let sent = v1::MatchStarted {
            seats: vec![seat("hosted", 0.5), seat("mine", 0.0)],
            rules: Some(v1::match_started::Rules::Draftosaurus(v1::DraftosaurusRules::default())),
            ..Default::default()
        };
        let shares: Vec<f64> = read_match(&sent).unwrap().seats.iter().map(|seat| seat.cpu_share).collect();
        assert_eq!(shares, [0.5, 0.0]);
    }
}
