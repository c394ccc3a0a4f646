//! A sitting: one match of a bot; its methods are called in order, and each ask is answered once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use log::{debug, error, info, warn};
use prost::Message;

use crate::ask::Ask;
use crate::bot::Bot;
use crate::dice::Dice;
use crate::guard::{Stack, guarded};
use crate::matches::{Match, Refusal, read_event, read_summary};
use crate::outbox::Outbox;
use crate::part::Part;
use crate::trouble::described;
use crate::v1;
use crate::v1::bot_item::Item;
use crate::v1::choice::Answer as Sent;

const REMEMBERED_ASKS: usize = 8; // of a match; the referee has one open at a time
const MOST_CHARACTERS: usize = 200; // of a fallback's reason; the server cuts what is longer

/// This bot's seat in one match, from MatchStarted to MatchEnded, over any number of streams.
pub(crate) struct Sitting {
    pub(crate) match_: Arc<Match>,
    bot: Arc<dyn Bot>,
    part: Mutex<Part>,
    seed: [u8; 32],
    outbox: Outbox,
    desk: Mutex<Desk>,
}

/// What waits to be done in a match, and what was asked.
#[derive(Default)]
struct Desk {
    asked: VecDeque<Asked>, // the last ones
    open: Option<u64>,      // the ask that still wants an answer, by its turn
    turns: u64,             // asks so far
    decisions: u32,         // that the bot was asked for so far
    jobs: VecDeque<Job>,
    is_working: bool,
}

/// An ask that the bot was shown, and its answer.
struct Asked {
    id: u64,
    turn: u64,
    view: Vec<u8>,
    answer: Option<v1::Choice>, // None while the bot chooses
}

enum Job {
    Started,
    Choose(v1::Ask, u64),
    Happened(v1::Happened),
    Refused(Refusal),
    Ended(v1::MatchEnded),
}

impl Sitting {
    pub(crate) fn new(bot: Arc<dyn Bot>, match_: Match, seed: [u8; 32], outbox: Outbox) -> Self {
        Sitting {
            part: Mutex::new(Part::new(&match_.id, match_.seat)),
            match_: Arc::new(match_),
            bot,
            seed,
            outbox,
            desk: Mutex::default(),
        }
    }

    /// Tell the bot that the match begins. Like all of these, whether `work` is to be called.
    pub(crate) fn begin(&self) -> bool {
        self.queue(Job::Started)
    }

    /// Send the nonce of this seat, or its digest; it is the same on every stream.
    pub(crate) fn send_nonce(&self, commit: bool) {
        if let Some(item) = self.part().begin(commit) {
            self.outbox.put(item);
        }
    }

    /// Open the nonce of this seat, if the digests are those that it is bound with.
    pub(crate) fn open_nonce(&self, digests: Vec<Vec<u8>>) {
        match self.part().told(digests) {
            Some(nonce) => self.outbox.put(nonce),
            None => warn!("nonce kept secret: match {}: digests wrong", self.match_.id),
        }
    }

    /// Answer an ask, or repeat its answer; a choice under way goes on. An ask with another view is
    /// another ask, even if it has the same id.
    pub(crate) fn ask(&self, message: v1::Ask) -> bool {
        let view = message.view.as_ref().map(Message::encode_to_vec).unwrap_or_default();
        let mut desk = self.desk();
        let known = desk.asked.iter().position(|asked| asked.id == message.ask_id);
        if let Some(known) = known {
            if desk.asked[known].view == view {
                if let Some(answer) = desk.asked[known].answer.clone() {
                    self.outbox.put(Item::Choice(answer));
                }
                return false;
            }
            desk.asked.remove(known);
        }
        desk.turns += 1;
        let turn = desk.turns;
        desk.open = Some(turn);
        let id = message.ask_id;
        desk.asked.push_back(Asked { id, turn, view, answer: None });
        if desk.asked.len() > REMEMBERED_ASKS {
            desk.asked.pop_front();
        }
        drop(desk);
        self.queue(Job::Choose(message, turn))
    }

    /// Whether this ask, a recent one, belongs to this match.
    pub(crate) fn asked(&self, ask_id: u64) -> bool {
        self.desk().asked.iter().any(|asked| asked.id == ask_id)
    }

    /// Tell the bot what happened, and log the faults of this seat.
    pub(crate) fn happened(&self, message: v1::Happened) -> bool {
        self.queue(Job::Happened(message))
    }

    /// Tell the bot that an answer did not count.
    pub(crate) fn refused(&self, refusal: Refusal) -> bool {
        self.queue(Job::Refused(refusal))
    }

    /// Tell the bot that the match is over; open choices no longer matter.
    pub(crate) fn end(&self, message: v1::MatchEnded) -> bool {
        self.desk().open = None;
        self.queue(Job::Ended(message))
    }

    /// Call no other method of the bot after the present one.
    pub(crate) fn stop(&self) {
        let mut desk = self.desk();
        desk.open = None;
        desk.jobs.clear();
    }

    /// Do all that waits to be done; it calls the bot, and takes as long as the bot does.
    pub(crate) fn work(&self) {
        loop {
            let mut desk = self.desk();
            let Some(job) = desk.jobs.pop_front() else {
                desk.is_working = false;
                return;
            };
            drop(desk);
            match job {
                Job::Choose(message, turn) => self.choose(&message, turn),
                Job::Started => self.tell("started", || self.bot.started(&self.match_)),
                Job::Refused(refusal) => {
                    self.tell("refused", || self.bot.refused(&self.match_, &refusal));
                }
                Job::Happened(message) => self.tell_happened(&message),
                Job::Ended(message) => self.tell_ended(&message),
            }
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn part(&self) -> MutexGuard<'_, Part> {
        self.part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self, job: Job) -> bool {
        let mut desk = self.desk();
        desk.jobs.push_back(job);
        !std::mem::replace(&mut desk.is_working, true)
    }

    fn choose(&self, message: &v1::Ask, turn: u64) {
        let decision = {
            let desk = self.desk();
            if desk.open != Some(turn) {
                return; // it was over before an earlier choice of this match was made
            }
            desk.decisions
        };
        let place = format!("match {}, ask {}", self.match_.id, message.ask_id);
        let began = Instant::now();
        let chosen = self.chosen(message, decision);
        let took = began.elapsed().as_millis();
        let (answer, fallback) = match chosen {
            Ok(answer) => (answer, None),
            Err(fallback) => (fallback.answer(message.ask_id), Some(fallback)),
        };
        let mut desk = self.desk();
        if desk.open == Some(turn) {
            if let Some(asked) = desk.asked.iter_mut().find(|asked| asked.turn == turn) {
                asked.answer = Some(answer.clone());
            }
            self.outbox.put(Item::Choice(answer));
            drop(desk);
            debug!("answer sent: {place}, after {took} ms");
        } else {
            drop(desk);
            warn!("answer dropped: {place}: choose was too late, after {took} ms");
        }
        if let Some(fallback) = fallback {
            fallback.log(&place); // after the answer: to show a stack takes a while
        }
    }

    /// The bot's choice, or why there is none.
    fn chosen(&self, message: &v1::Ask, decision: u32) -> Result<v1::Choice, Fallback> {
        let dice = Dice::new(&self.seed, decision);
        let ask = guarded(|| Ask::read(message, &self.match_, dice));
        let ask = match ask {
            Ok(Ok(ask)) => ask,
            Ok(Err(unreadable)) => return Err(Fallback::new(unreadable.to_string(), None)),
            Err(caught) => return Err(Fallback::new(caught.reason, None)),
        };
        self.desk().decisions += 1;
        let instead = |reason: String, stack| Fallback {
            reason,
            stack,
            default: Some((ask.default_number(), ask.default_choice().to_string())),
        };
        let answer = match guarded(|| self.bot.choose(&ask)) {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return Err(instead(described(error.as_ref()), None)),
            Err(caught) => return Err(instead(caught.reason, caught.stack)),
        };
        let number = ask.number_of(&answer).map_err(|reason| instead(reason, None))?;
        Ok(v1::Choice {
            ask_id: message.ask_id,
            answer: Some(Sent::Number(number as u32)),
            fallback: String::new(),
        })
    }

    fn tell(&self, hook: &str, call: impl FnOnce()) {
        if let Err(caught) = guarded(call) {
            let stack = caught.stack.map(|stack| stack.to_string()).unwrap_or_default();
            error!("hook failed: match {}: {hook}: {} {stack}", self.match_.id, caught.reason);
        }
    }

    fn tell_happened(&self, message: &v1::Happened) {
        let event = read_event(message);
        for shown in event.revealed.iter().filter(|shown| shown.seat == self.match_.seat) {
            if let Some(fault) = shown.fault {
                warn!("fault {fault}: match {}: the referee chose", self.match_.id);
            }
        }
        self.tell("happened", || self.bot.happened(&self.match_, &event));
    }

    fn tell_ended(&self, message: &v1::MatchEnded) {
        let summary = read_summary(message);
        let id = &self.match_.id;
        let rank = summary.seats.get(self.match_.seat).map_or(0, |seat| seat.rank);
        info!("match ended: {id}, rank {rank}");
        if !summary.void_reason.is_empty() {
            // It was set aside, and has no nonces.
            warn!("match void: {id} counts for nothing: {}", summary.void_reason);
        } else if let Some(wrong) = self.part().wrong(&summary.nonces) {
            warn!("nonces wrong: match {id}: {wrong}");
        }
        if summary.kept_its_word(&self.match_) == Some(false) {
            warn!("seed wrong: match {id}: the seed is not the one the server committed to");
        }
        self.tell("ended", || self.bot.ended(&self.match_, &summary));
    }
}

/// A fallback: the default choice with a reason, where the bot itself did not choose.
struct Fallback {
    reason: String,
    stack: Option<Stack>,
    default: Option<(usize, String)>, // its number and its words; None: the ask could not be read
}

impl Fallback {
    fn new(reason: String, default: Option<(usize, String)>) -> Self {
        Fallback { reason, stack: None, default }
    }

    fn answer(&self, ask_id: u64) -> v1::Choice {
        let number = self.default.as_ref().map(|(number, _)| Sent::Number(*number as u32));
        v1::Choice { ask_id, answer: number, fallback: self.reason.chars().take(MOST_CHARACTERS).collect() }
    }

    fn log(&self, place: &str) {
        let default = self.default.as_ref().map_or("the referee's default", |(_, words)| words);
        let stack = self.stack.as_ref().map(|stack| format!("\n{stack}")).unwrap_or_default();
        error!("fallback: {place}: {}; {default} is played instead{stack}", self.reason);
    }
}
