//! A referee that says what a test tells it to, on a real port of this machine.

use std::path::Path;
use std::time::Duration;

use paddock::v1::arena_service_server::{ArenaService, ArenaServiceServer};
use paddock::v1::bot_item::Item as Said;
use paddock::v1::referee_item::Item as Told;
use paddock::v1::{self, PlayRequest, PlayResponse};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::{UnboundedReceiverStream, UnixListenerStream};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming};

const PATIENCE: Duration = Duration::from_secs(20);

/// The referee; every stream that a bot opens comes out of `stream`.
pub struct Referee {
    pub address: String,
    streams: UnboundedReceiver<Stream>,
    serving: JoinHandle<Result<(), tonic::transport::Error>>,
}

impl Drop for Referee {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// One stream of a bot.
pub struct Stream {
    pub token: Option<String>,
    frames: Streaming<PlayRequest>,
    said: Vec<Said>,
    replies: UnboundedSender<Result<PlayResponse, Status>>,
}

struct Arena(UnboundedSender<Stream>);

#[tonic::async_trait]
impl ArenaService for Arena {
    type PlayStream = UnboundedReceiverStream<Result<PlayResponse, Status>>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let token = request.metadata().get("authorization").and_then(|token| token.to_str().ok());
        let token = token.map(ToString::to_string);
        let (replies, stream) = unbounded_channel();
        let frames = request.into_inner();
        let _ = self.0.send(Stream { token, frames, said: Vec::new(), replies });
        Ok(Response::new(UnboundedReceiverStream::new(stream)))
    }
}

impl Referee {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (sender, streams) = unbounded_channel();
        let server = Server::builder().add_service(ArenaServiceServer::new(Arena(sender)));
        let serving = tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        Referee { address, streams, serving }
    }

    /// A referee at a socket of this machine.
    pub async fn at_socket(path: &Path) -> Self {
        let listener = UnixListener::bind(path).unwrap();
        let address = format!("unix:{}", path.display());
        let (sender, streams) = unbounded_channel();
        let server = Server::builder().add_service(ArenaServiceServer::new(Arena(sender)));
        let serving = tokio::spawn(server.serve_with_incoming(UnixListenerStream::new(listener)));
        Referee { address, streams, serving }
    }

    /// The next stream, after its Hello.
    pub async fn stream(&mut self) -> (Stream, v1::Hello) {
        let next = tokio::time::timeout(PATIENCE, self.streams.recv()).await;
        let mut stream = next.expect("the bot connects").unwrap();
        match stream.next().await {
            Some(Said::Hello(hello)) => (stream, hello),
            other => panic!("not a Hello: {other:?}"),
        }
    }

    /// The next stream, welcomed, with a match begun on it.
    pub async fn welcomed(&mut self) -> (Stream, v1::Hello) {
        let (stream, hello) = self.stream().await;
        stream.tell([
            Told::Welcome(v1::Welcome { resume_token: "again".to_string(), ..Default::default() }),
            Told::MatchStarted(started(false)),
        ]);
        (stream, hello)
    }
}

impl Stream {
    /// What the bot says next; None: it said all.
    pub async fn next(&mut self) -> Option<Said> {
        while self.said.is_empty() {
            let frame = tokio::time::timeout(PATIENCE, self.frames.message()).await;
            let frame = frame.expect("the bot says something").ok()??;
            self.said = frame.items.into_iter().filter_map(|item| item.item).collect();
        }
        Some(self.said.remove(0))
    }

    pub async fn choice(&mut self) -> v1::Choice {
        match self.next().await {
            Some(Said::Choice(choice)) => choice,
            other => panic!("not a Choice: {other:?}"),
        }
    }

    pub async fn nonce(&mut self) -> Vec<u8> {
        match self.next().await {
            Some(Said::Nonce(nonce)) => nonce.nonce,
            other => panic!("not a Nonce: {other:?}"),
        }
    }

    pub async fn pong(&mut self) -> u64 {
        match self.next().await {
            Some(Said::Pong(pong)) => pong.id,
            other => panic!("not a Pong: {other:?}"),
        }
    }

    /// Tell the bot all of this in one frame.
    pub fn tell(&self, items: impl IntoIterator<Item = Told>) {
        let items = items.into_iter().map(|item| v1::RefereeItem { item: Some(item) });
        let _ = self.replies.send(Ok(PlayResponse { items: items.collect() }));
    }

    /// End the stream with a status.
    pub fn refuse(self, status: Status) {
        let _ = self.replies.send(Err(status));
    }
}

/// The match of these tests: three seats of the summer board.
pub fn started(commit_nonces: bool) -> v1::MatchStarted {
    v1::MatchStarted {
        match_id: "m1".to_string(),
        format: "summer".to_string(),
        seats: vec![v1::Seat::default(); 3],
        seat: 1,
        dice: vec![7; 16],
        rules: Some(v1::match_started::Rules::Draftosaurus(v1::DraftosaurusRules::default())),
        commit_nonces,
        ..Default::default()
    }
}

/// An ask with three legal choices, the last one into the river; asks of other turns differ.
pub fn ask(ask_id: u64, turn: u32) -> Told {
    let table = v1::DraftosaurusTable {
        board: v1::Board::Summer.into(),
        phase: v1::DraftosaurusPhase::Place.into(),
        zoos: vec![v1::Zoo::default(); 3],
        turn,
        ..Default::default()
    };
    let hand = vec![v1::Species::TRex.into()];
    let view = v1::DraftosaurusView { table: Some(table), hand };
    let choice = |pen: v1::Pen| v1::GameChoice {
        game: Some(v1::game_choice::Game::Draftosaurus(v1::DraftosaurusChoice {
            kind: v1::DraftosaurusPhase::Place.into(),
            species: v1::Species::TRex.into(),
            pen: pen.into(),
            slot: 0,
        })),
    };
    Told::Ask(v1::Ask {
        match_id: "m1".to_string(),
        ask_id,
        seat: 1,
        time_ms: 1000,
        bank_ms: 10_000,
        view: Some(v1::GameView { game: Some(v1::game_view::Game::Draftosaurus(view)) }),
        choices: vec![choice(v1::Pen::WoodyTrio), choice(v1::Pen::KingOfTheJungle), choice(v1::Pen::River)],
    })
}
