//! The session of a bot: its matches and its resume token, over any number of streams.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use log::{error, info, warn};
use tokio::sync::watch;

use crate::bot::Bot;
use crate::dice::{match_seed, own_secret};
use crate::game::rules_version;
use crate::matches::{Refusal, read_match};
use crate::outbox::{Frames, Outbox};
use crate::sitting::Sitting;
use crate::v1;
use crate::v1::bot_item::Item;
use crate::v1::referee_item::Item as Told;

const FAREWELL: Duration = Duration::from_secs(5); // for the hooks of the last matches

/// A session over any number of streams; `receive` handles items in order and never waits.
pub(crate) struct Session {
    /// Whether the present stream was welcomed.
    pub(crate) welcomed: bool,
    /// What was said on the present stream.
    pub(crate) goodbye: Option<v1::Goodbye>,
    bot: Arc<dyn Bot>,
    hello: v1::Hello,
    secret: Vec<u8>,
    outbox: Outbox,
    sittings: HashMap<String, Arc<Sitting>>,
    current: HashSet<String>, // the matches that started on the present stream
    workers: watch::Sender<usize>,
    idle: Box<dyn Fn() + Send>,
}

impl Session {
    /// The session of a bot; `idle` is called when all matches that began have ended.
    pub(crate) fn new(bot: Arc<dyn Bot>, hello: v1::Hello, idle: Box<dyn Fn() + Send>) -> Self {
        Session {
            welcomed: false,
            goodbye: None,
            bot,
            hello,
            secret: own_secret(),
            outbox: Outbox::default(),
            sittings: HashMap::new(),
            current: HashSet::new(),
            workers: watch::Sender::new(0),
            idle,
        }
    }

    /// The frames of a new stream, with Hello in the first.
    pub(crate) fn connect(&mut self) -> Frames {
        self.welcomed = false;
        self.goodbye = None;
        self.current.clear();
        let frames = self.outbox.open();
        self.outbox.put(Item::Hello(self.hello.clone()));
        frames
    }

    /// The way to the present stream; once closed, answers are sent when their asks are repeated.
    pub(crate) fn outbox(&self) -> Outbox {
        self.outbox.clone()
    }

    /// Wait for the hooks of ended matches, and call no other method of the bot.
    pub(crate) async fn close(&mut self) {
        self.sittings.values().for_each(|sitting| sitting.stop());
        let mut workers = self.workers.subscribe();
        let _ = tokio::time::timeout(FAREWELL, workers.wait_for(|&count| count == 0)).await;
    }

    /// Handle one item of the server.
    pub(crate) fn receive(&mut self, item: v1::RefereeItem) {
        match item.item {
            Some(Told::Ping(ping)) => self.outbox.put(Item::Pong(v1::Pong { id: ping.id })),
            Some(Told::Ask(ask)) => self.ask(ask),
            Some(Told::Happened(happened)) => {
                self.with(&happened.match_id.clone(), |sitting| sitting.happened(happened))
            }
            Some(Told::MatchStarted(started)) => self.match_started(&started),
            Some(Told::NonceCommitments(told)) => {
                if let Some(sitting) = self.sittings.get(&told.match_id) {
                    sitting.open_nonce(told.digests);
                }
            }
            Some(Told::MatchEnded(ended)) => self.match_ended(ended),
            Some(Told::Refused(refused)) => self.refused(refused),
            Some(Told::Welcome(welcome)) => self.welcome(welcome),
            Some(Told::Goodbye(goodbye)) => {
                info!("goodbye received: {}", said(&goodbye));
                self.goodbye = Some(goodbye);
            }
            None => {} // from a newer server, which expects no answer
        }
    }

    fn welcome(&mut self, welcome: v1::Welcome) {
        self.welcomed = true;
        self.hello.resume_token = welcome.resume_token;
        let played = welcome.formats.iter().filter(|format| format.plays);
        let played: Vec<&str> = played.map(|format| format.name.as_str()).collect();
        info!(
            "session opened: {} on paddock {}, session {}, plays {}",
            self.hello.bot,
            welcome.server,
            welcome.session,
            played.join(", ")
        );
        for game in &welcome.games {
            if rules_version(&game.name).is_some_and(|known| known < game.rules_version) {
                warn!(
                    "rules too old: the server plays version {} of {}; use a newer paddock",
                    game.rules_version, game.name
                );
            }
        }
        if !welcome.probation.is_empty() {
            warn!("on probation: {} gets trial matches only: {}", self.hello.bot, welcome.probation);
        }
        welcome.notices.iter().for_each(|notice| warn!("{notice}"));
        if let Some(open) = welcome.open_matches {
            self.sittings.retain(|id, sitting| {
                let is_open = open.match_ids.contains(id);
                if !is_open {
                    info!("match ended without a connection: {id}");
                    sitting.stop();
                }
                is_open
            });
        }
    }

    fn match_started(&mut self, message: &v1::MatchStarted) {
        let id = &message.match_id;
        if !self.sittings.contains_key(id) {
            let match_ = match read_match(message) {
                Ok(match_) => match_,
                Err(problem) => return error!("match_started {problem}; use a newer paddock"),
            };
            let names: Vec<&str> = match_.seats.iter().map(|seat| seat.bot.as_str()).collect();
            info!("match started: {id}, {}, seat {} of {}", match_.format, match_.seat, names.join(", "));
            let seed = match_seed(&self.secret, &match_.dice, match_.seat);
            let sitting = Sitting::new(Arc::clone(&self.bot), match_, seed, self.outbox.clone());
            self.sittings.insert(id.clone(), Arc::new(sitting));
            self.with(id, Sitting::begin);
        }
        self.current.insert(id.clone());
        self.sittings[id].send_nonce(message.commit_nonces);
    }

    fn ask(&self, message: v1::Ask) {
        let id = message.match_id.clone();
        if !self.sittings.contains_key(&id) {
            return error!("ask ignored: {} is of unknown match {id}", message.ask_id);
        }
        self.with(&id, |sitting| sitting.ask(message));
    }

    fn refused(&self, message: v1::Refused) {
        let (id, reason, sentence) = (message.ask_id, message.reason, message.sentence);
        warn!("answer refused: ask {id}: {reason}: {sentence}");
        let asked = self.sittings.iter().find(|(_, sitting)| sitting.asked(id));
        if let Some((match_id, _)) = asked {
            let ask_id = id;
            self.with(match_id, |sitting| sitting.refused(Refusal { ask_id, reason, sentence }));
        }
    }

    fn match_ended(&mut self, message: v1::MatchEnded) {
        let id = message.match_id.clone();
        self.current.remove(&id);
        self.with(&id, |sitting| sitting.end(message));
        self.sittings.remove(&id);
        if self.current.is_empty() {
            (self.idle)();
        }
    }

    /// Do this with a sitting, and let a thread work on it where it wants that.
    fn with(&self, match_id: &str, call: impl FnOnce(&Sitting) -> bool) {
        let Some(sitting) = self.sittings.get(match_id) else {
            return;
        };
        if !call(sitting) {
            return;
        }
        let sitting = Arc::clone(sitting);
        let workers = self.workers.clone();
        workers.send_modify(|count| *count += 1);
        tokio::task::spawn_blocking(move || {
            sitting.work();
            workers.send_modify(|count| *count -= 1);
        });
    }
}

/// What a Goodbye says.
pub(crate) fn said(goodbye: &v1::Goodbye) -> &str {
    match goodbye.sentence.as_str() {
        "" => &goodbye.reason,
        sentence => sentence,
    }
}
