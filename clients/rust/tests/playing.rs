//! A bot and a scripted referee, over gRPC.

mod referee;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use paddock::v1;
use paddock::v1::bot_item::Item as Said;
use paddock::v1::choice::Answer as Sent;
use paddock::v1::referee_item::Item as Told;
use paddock::{Answer, Ask, Bot, Chosen, Error, Settings};
use referee::{Referee, ask, started};
use ring::digest::{SHA256, digest};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tonic::Status;

/// A bot whose choices are a function, and that counts its calls.
struct Scripted<F> {
    choose: F,
    calls: Arc<AtomicUsize>,
}

impl<F: Fn(&Ask) -> Chosen + Send + Sync + 'static> Bot for Scripted<F> {
    fn choose(&self, ask: &Ask) -> Chosen {
        self.calls.fetch_add(1, Ordering::SeqCst);
        (self.choose)(ask)
    }

    fn name(&self) -> &str {
        "scripted"
    }
}

/// A bot at play, and a way to stop it.
struct Played {
    stop: watch::Sender<bool>,
    run: JoinHandle<Result<(), Error>>,
    calls: Arc<AtomicUsize>,
}

impl Played {
    async fn stopped(self) -> Result<(), Error> {
        let _ = self.stop.send(true);
        self.run.await.unwrap()
    }
}

fn play(server: &str, choose: impl Fn(&Ask) -> Chosen + Send + Sync + 'static) -> Played {
    let (stop, stopped) = watch::channel(false);
    let calls = Arc::new(AtomicUsize::new(0));
    let bot = Scripted { choose, calls: Arc::clone(&calls) };
    let settings = Settings {
        server: Some(server.to_string()),
        token: Some("pdk_1".to_string()),
        name: Some("mine".to_string()),
        ..Default::default()
    };
    Played { stop, run: tokio::spawn(paddock::play(bot, settings, stopped)), calls }
}

fn numbered(number: usize) -> impl Fn(&Ask) -> Chosen {
    move |_| Ok(Answer::Number(number))
}

#[tokio::test]
async fn hello_says_who_connects() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(0));
    let (stream, hello) = referee.stream().await;
    assert_eq!(stream.token.as_deref(), Some("Bearer pdk_1"));
    assert_eq!((hello.bot.as_str(), hello.protocol, hello.max_matches), ("mine", 1, 8));
    assert!(hello.formats.is_empty() && hello.known_formats.len() == 8);
    assert!(hello.sends_nonces && hello.commits_nonces && hello.resume_token.is_empty());
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn an_ask_told_again_gets_the_same_answer_and_another_view_another_choice() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, |ask| Ok(ask.below(3).into()));
    let (mut stream, _) = referee.welcomed().await;
    stream.nonce().await;
    stream.tell([ask(5, 0)]);
    let first = stream.choice().await;
    stream.tell([ask(5, 0), ask(5, 0)]);
    assert_eq!([stream.choice().await, stream.choice().await], [first.clone(), first]);
    assert_eq!(bot.calls.load(Ordering::SeqCst), 1);
    stream.tell([ask(5, 1)]);
    stream.choice().await;
    assert_eq!(bot.calls.load(Ordering::SeqCst), 2);
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn a_lost_stream_is_resumed_with_the_same_nonce_and_the_same_answer() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(1));
    let (mut stream, _) = referee.welcomed().await;
    let nonce = stream.nonce().await;
    stream.tell([ask(5, 0)]);
    let answer = stream.choice().await;
    stream.refuse(Status::unavailable("gone"));
    let (mut stream, hello) = referee.welcomed().await;
    assert_eq!(hello.resume_token, "again");
    assert_eq!(stream.nonce().await, nonce);
    stream.tell([ask(5, 0)]);
    assert_eq!(stream.choice().await, answer);
    assert_eq!(bot.calls.load(Ordering::SeqCst), 1);
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn a_choose_that_fails_is_answered_with_a_fallback() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, |ask| match ask.id {
        1 => panic!("no idea"),
        2 => Err("it did not work".into()),
        3 => Ok(Answer::Number(9)),
        4 => Ok(Answer::from(&ask.legal[1])),
        _ => Err("ß".repeat(300).into()),
    });
    let (mut stream, _) = referee.welcomed().await;
    stream.nonce().await;
    let mut answers = Vec::new();
    for id in 1..=5 {
        stream.tell([ask(id, id as u32)]);
        answers.push(stream.choice().await);
    }
    let reasons: Vec<&str> = answers.iter().map(|answer| answer.fallback.as_str()).collect();
    let illegal = "choose returned 9, which is not below the number of legal choices, 3";
    assert_eq!(reasons[..4], ["panic: no idea", "it did not work", illegal, ""]);
    assert_eq!(reasons[4].chars().count(), 200);
    let numbers: Vec<Option<Sent>> = answers.into_iter().map(|answer| answer.answer).collect();
    let number = |number| Some(Sent::Number(number));
    assert_eq!(numbers, [number(2), number(2), number(2), number(1), number(2)]); // 2 is the river
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn pings_are_answered_while_the_bot_thinks() {
    let mut referee = Referee::start().await;
    let (go_on, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let bot = play(&referee.address, move |_| {
        let _ = wait.lock().unwrap().recv();
        Ok(Answer::Number(0))
    });
    let (mut stream, _) = referee.welcomed().await;
    stream.nonce().await;
    stream.tell([ask(1, 0), Told::Ping(v1::Ping { id: 70 })]);
    stream.tell([Told::Ping(v1::Ping { id: 71 })]);
    assert_eq!([stream.pong().await, stream.pong().await], [70, 71]);
    go_on.send(()).unwrap();
    assert_eq!(stream.choice().await.ask_id, 1);
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn nonces_in_two_steps_are_bound_before_they_are_told() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(0));
    let (mut stream, _) = referee.stream().await;
    stream.tell([Told::MatchStarted(started(true)), Told::MatchStarted(started(true))]);
    let mut digests = Vec::new();
    for _ in 0..2 {
        match stream.next().await {
            Some(Said::NonceCommitment(commitment)) => digests.push(commitment.digest),
            other => panic!("not a NonceCommitment: {other:?}"),
        }
    }
    assert_eq!(digests[0], digests[1]);
    let told = |own: &[u8]| {
        let digests = vec![vec![1; 32], own.to_vec(), vec![2; 32]];
        Told::NonceCommitments(v1::NonceCommitments { match_id: "m1".to_string(), digests })
    };
    let in_one_step = Told::MatchStarted(started(false));
    stream.tell([told(&[3; 32]), in_one_step, Told::Ping(v1::Ping { id: 1 })]);
    assert_eq!(stream.pong().await, 1); // and no nonce: the digest was another, and it is bound
    stream.tell([told(&digests[0])]);
    let nonce = stream.nonce().await;
    assert_eq!((nonce.len(), digest(&SHA256, &nonce).as_ref()), (16, &digests[0][..]));
    let others = vec![vec![4; 32], digests[0].clone(), vec![2; 32]];
    let changed = v1::NonceCommitments { match_id: "m1".to_string(), digests: others };
    stream.tell([Told::NonceCommitments(changed), Told::Ping(v1::Ping { id: 2 })]);
    assert_eq!(stream.pong().await, 2); // and no nonce: those of the others were others before
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn a_refusal_ends_the_bot() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(0));
    let (stream, _) = referee.stream().await;
    stream.refuse(Status::unauthenticated("auth/bad_token: copy it again"));
    let refused = bot.run.await.unwrap().unwrap_err();
    let (reason, sentence) = ("auth/bad_token".to_string(), "copy it again".to_string());
    assert_eq!(refused, Error::Refused { reason, sentence });
    assert_eq!(refused.exit_code(), 2);
}

#[tokio::test]
async fn a_goodbye_says_whether_to_come_back() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(0));
    let goodbye = |return_after_ms| {
        let (reason, sentence) = ("server/draining".to_string(), "it stops".to_string());
        Told::Goodbye(v1::Goodbye { reason, sentence, return_after_ms, ..Default::default() })
    };
    let (stream, _) = referee.welcomed().await;
    stream.tell([goodbye(50)]);
    drop(stream);
    let (stream, _) = referee.welcomed().await;
    stream.tell([goodbye(0)]);
    drop(stream);
    assert!(matches!(bot.run.await.unwrap(), Err(Error::Refused { .. })));
}

#[tokio::test]
async fn the_next_server_of_a_list_is_tried() {
    let mut referee = Referee::start().await;
    let bot = play(&format!("127.0.0.1:1,{}", referee.address), numbered(0));
    let (stream, _) = referee.welcomed().await;
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn a_socket_of_this_machine_will_do() {
    let path = std::env::temp_dir().join(format!("paddock-{}.sock", std::process::id()));
    let mut referee = Referee::at_socket(&path).await;
    let bot = play(&referee.address, numbered(0));
    let (stream, hello) = referee.welcomed().await;
    std::fs::remove_file(&path).unwrap();
    assert_eq!(hello.bot, "mine");
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn a_bot_that_was_moved_comes_home_when_the_other_server_is_gone() {
    let (mut home, mut other) = (Referee::start().await, Referee::start().await);
    let bot = play(&home.address, numbered(0));
    let (stream, _) = home.welcomed().await;
    let address = other.address.clone();
    stream.tell([Told::Goodbye(v1::Goodbye { return_after_ms: 1, address, ..Default::default() })]);
    drop(stream);
    let (stream, _) = other.welcomed().await;
    drop((stream, other));
    let (stream, hello) = home.welcomed().await;
    assert_eq!(hello.resume_token, "again");
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}

#[tokio::test]
async fn a_stopped_bot_sends_what_it_has_and_ends_its_stream() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(0));
    let (mut stream, _) = referee.welcomed().await;
    stream.nonce().await;
    stream.tell([Told::Ping(v1::Ping { id: 1 })]);
    assert_eq!(stream.pong().await, 1);
    let _ = bot.stop.send(true);
    assert_eq!(stream.next().await, None);
    drop(stream);
    assert_eq!(bot.run.await.unwrap(), Ok(()));
}

#[tokio::test]
async fn what_a_newer_server_says_is_passed_over() {
    let mut referee = Referee::start().await;
    let bot = play(&referee.address, numbered(0));
    let (mut stream, _) = referee.welcomed().await;
    stream.nonce().await;
    let newer = v1::MatchStarted { match_id: "m2".to_string(), rules: None, ..started(false) };
    let odd = v1::MatchStarted { match_id: "m3".to_string(), seat: 3, ..started(false) };
    stream.tell([Told::MatchStarted(newer), Told::MatchStarted(odd), ask(1, 0)]);
    assert_eq!(stream.choice().await.ask_id, 1);
    drop(stream);
    assert_eq!(bot.stopped().await, Ok(()));
}
