//! Connections to the server: one stream after the other, until the bot stops or is refused.

use std::time::{Duration, Instant};

use log::warn;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

use crate::address::Address;
use crate::backoff::{Backoff, LONGEST};
use crate::digest::random;
use crate::errors::Error;
use crate::outbox::Frames;
use crate::route::Route;
use crate::session::{Session, said};
use crate::trouble::{described, explain};
use crate::v1::arena_service_client::ArenaServiceClient;

const FAREWELL: Duration = Duration::from_secs(2); // for the last answers to leave
const REPLACED: &str = "session/replaced";

/// The metadata that carries a bot's token.
pub(crate) type Token = Option<MetadataValue<Ascii>>;

/// Set when the bot is to stop.
pub(crate) type Stop = watch::Receiver<bool>;

/// The end of a stream: the code of its status, the sentence and the reason.
struct Closed {
    code: Code,
    sentence: String,
    reason: String,
}

/// The end of a stream after which another attempt makes sense.
struct Ending {
    code: Code,
    sentence: String,
    return_after: Duration,
}

/// Play over as many streams as needed, until `stop` is set.
pub(crate) async fn stay_connected(
    mut route: Route,
    token: Token,
    session: &mut Session,
    mut stop: Stop,
    give_up_after: Option<Duration>,
) -> Result<(), Error> {
    let mut backoff = Backoff::new(StdRng::from_seed(random()));
    let mut connected = Instant::now(); // when a session was last open
    loop {
        let began = Instant::now();
        let address = route.next().clone();
        let Some(closed) = converse(&address, &token, session, &mut stop).await else {
            return Ok(());
        };
        let ending = ending(&address, session, closed)?;
        let now = Instant::now();
        if session.welcomed {
            connected = now;
            // Keep waiting longer for a server that hangs up at once.
            if now - began > LONGEST {
                backoff.reset();
            }
        } else {
            route.failed();
        }
        if let Some(goodbye) = session.goodbye.as_ref().filter(|goodbye| !goodbye.address.is_empty()) {
            route.move_to(&goodbye.address);
        }
        if give_up_after.is_some_and(|longest| now - connected >= longest) {
            return Err(Error::Unreachable(format!("{}: {}", address.target, ending.sentence)));
        }
        let wait = backoff.next(ending.return_after);
        warn!(
            "no connection to {}: {} ({:?}); next attempt in {:.1} s at {}",
            address.target,
            ending.sentence,
            ending.code,
            wait.as_secs_f64(),
            route.next().target
        );
        if timeout(wait, stopped(&mut stop)).await.is_ok() {
            return Ok(());
        }
    }
}

/// Waits until the bot is to stop.
pub(crate) async fn stopped(stop: &mut Stop) {
    let _ = stop.wait_for(|&stopped| stopped).await;
}

/// Play on one stream until it ends; None: `stop` was set.
async fn converse(
    address: &Address,
    token: &Token,
    session: &mut Session,
    stop: &mut Stop,
) -> Option<Closed> {
    let frames = session.connect();
    let channel = tokio::select! {
        channel = address.connect() => channel,
        _ = stopped(stop) => return None,
    };
    let channel = match channel {
        Ok(channel) => channel,
        Err(error) => {
            let (code, sentence) = (Code::Unavailable, described(error.as_ref()));
            return Some(Closed { code, sentence, reason: String::new() });
        }
    };
    let mut request = Request::new(frames);
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.clone());
    }
    let outbox = session.outbox();
    let reading = read(ArenaServiceClient::new(channel), request, session);
    tokio::pin!(reading);
    let closed = tokio::select! {
        closed = &mut reading => Some(closed),
        _ = stopped(stop) => {
            outbox.close(); // the server ends the stream when it has read the last answers
            let _ = timeout(FAREWELL, &mut reading).await;
            None
        }
    };
    outbox.close();
    closed
}

/// Pass items to the session until the stream ends.
async fn read(
    mut client: ArenaServiceClient<Channel>,
    request: Request<Frames>,
    session: &mut Session,
) -> Closed {
    // Nothing here waits but the read itself, so that a Ping is answered at once whatever the bot
    // is thinking about.
    let outcome = async {
        let mut frames = client.play(request).await?.into_inner();
        while let Some(frame) = frames.message().await? {
            frame.items.into_iter().for_each(|item| session.receive(item));
        }
        Ok(())
    };
    match outcome.await {
        Ok(()) => Closed { code: Code::Ok, sentence: String::new(), reason: String::new() },
        Err(status) => closed(&status),
    }
}

fn closed(status: &Status) -> Closed {
    let told = status.metadata().get("paddock-reason").and_then(|reason| reason.to_str().ok());
    let words = status.message();
    let reason = told.unwrap_or_else(|| first_reason(words)).to_string();
    let sentence = words.strip_prefix(&reason).unwrap_or(words).trim_start_matches([':', ' ']);
    let sentence = match reason.as_str() {
        "" => described(status), // of the library, with its causes
        _ => sentence.to_string(),
    };
    Closed { code: status.code(), sentence, reason }
}

/// The first word of a status message, where it is a reason such as auth/bad_token.
fn first_reason(words: &str) -> &str {
    let first = words.split(' ').next().unwrap_or_default().trim_end_matches(':');
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|sign| sign == b'_' || sign.is_ascii_lowercase());
    match first.split_once('/') {
        Some((one, other)) if is_word(one) && is_word(other) => first,
        _ => "",
    }
}

/// The end of a stream; Refused where another attempt would fail the same way.
fn ending(address: &Address, session: &Session, closed: Closed) -> Result<Ending, Error> {
    let Closed { code, mut sentence, reason } = closed;
    let refused = |reason: &str, sentence: &str| Error::Refused {
        reason: reason.to_string(),
        sentence: sentence.to_string(),
    };
    if reason.is_empty() && !sentence.is_empty() {
        let trouble = explain(address, &sentence, session.welcomed);
        if trouble.is_final {
            return Err(refused(trouble.reason, &trouble.sentence));
        }
        sentence = trouble.sentence;
    }
    let is_final = matches!(
        code,
        Code::Unauthenticated | Code::PermissionDenied | Code::InvalidArgument | Code::FailedPrecondition
    );
    if is_final || reason == REPLACED {
        let words = if sentence.is_empty() { format!("{code:?}") } else { sentence };
        return Err(refused(&reason, &words));
    }
    if let Some(goodbye) = &session.goodbye {
        if goodbye.return_after_ms == 0 {
            return Err(refused(&goodbye.reason, &goodbye.sentence));
        }
        let return_after = Duration::from_millis(goodbye.return_after_ms.into());
        let sentence = said(goodbye).to_string();
        return Ok(Ending { code, sentence, return_after });
    }
    let sentence = match (reason.as_str(), sentence.as_str()) {
        ("", "") => "the server closed the stream".to_string(),
        ("", _) => sentence,
        (_, _) => format!("{reason}: {sentence}"),
    };
    let return_after = Duration::ZERO;
    Ok(Ending { code, sentence, return_after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_the_first_word_where_it_looks_like_one() {
        assert_eq!(first_reason("auth/bad_token: copy it again"), "auth/bad_token");
        for words in ["", "transport error", "a/b/c d", "/x", "Auth/bad"] {
            assert_eq!(first_reason(words), "", "{words}");
        }
    }

    #[test]
    fn the_reason_is_not_repeated_in_the_sentence() {
        let closed = closed(&Status::unauthenticated("auth/bad_token: copy it again"));
        assert_eq!((closed.reason.as_str(), closed.sentence.as_str()), ("auth/bad_token", "copy it again"));
    }
}
