//! The run of a bot: it connects, reconnects, and ends when it is stopped or refused.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use log::{LevelFilter, error, info};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tonic::metadata::MetadataValue;

use crate::address::{CertificateFiles, DEFAULT_SERVER, addresses};
use crate::bot::Bot;
use crate::connection::{Token, stay_connected, stopped};
use crate::errors::Error;
use crate::game::formats;
use crate::logging;
use crate::route::Route;
use crate::session::Session;
use crate::v1;

const PROTOCOL: u32 = 1;

/// The settings of a run; what is None is taken from the environment: PADDOCK_SERVER,
/// PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// HOST:PORT, https://HOST:PORT or unix:PATH, or several with commas between them.
    pub server: Option<String>,
    /// The bot's token.
    pub token: Option<String>,
    /// The bot's name on the server.
    pub name: Option<String>,
    /// The file of the server's CA, PEM; turns TLS on.
    pub tls_ca: Option<PathBuf>,
    /// The bot's own certificate, PEM.
    pub tls_cert: Option<PathBuf>,
    /// The key of the bot's certificate, PEM.
    pub tls_key: Option<PathBuf>,
    /// Most matches at once.
    pub max_matches: Option<u32>,
    /// Return once all matches that began have ended.
    pub stop_when_idle: bool,
    /// How long to go on without a connection; None: without end.
    pub give_up_after: Option<Duration>,
}

/// Let the bot play until it gets SIGINT (Ctrl-C) or SIGTERM, reconnecting as often as it takes.
/// The exit code is 2, with the server's sentence in the log, if the bot is refused.
pub fn run(bot: impl Bot, settings: Settings) -> ExitCode {
    logging::install(LevelFilter::Info);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build() {
        Ok(runtime) => runtime,
        Err(problem) => {
            error!("start failed: {problem}");
            return ExitCode::FAILURE;
        }
    };
    let (stop, asked) = watch::channel(false);
    let outcome = runtime.block_on(async {
        stop_on_signals(stop);
        play(bot, settings, asked).await
    });
    runtime.shutdown_background(); // a choose that never returns must not keep the process
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            error!("{problem}");
            ExitCode::from(problem.exit_code())
        }
    }
}

/// Play matches until `stop` is true or its sender is gone, in a runtime of tokio; see `run` for the rest.
pub async fn play(bot: impl Bot, settings: Settings, stop: watch::Receiver<bool>) -> Result<(), Error> {
    let given = |value: &Option<String>, variable: &str| {
        let said = |text: &String| !text.is_empty();
        value.clone().filter(said).or_else(|| std::env::var(variable).ok().filter(said))
    };
    let servers = given(&settings.server, "PADDOCK_SERVER").unwrap_or(DEFAULT_SERVER.to_string());
    let files = CertificateFiles {
        ca: settings.tls_ca.as_deref(),
        cert: settings.tls_cert.as_deref(),
        key: settings.tls_key.as_deref(),
    };
    let env_ca = given(&None, "PADDOCK_TLS_CA").map(PathBuf::from);
    let route = Route::new(addresses(&servers, files, env_ca.as_deref())?);
    let token = token(&given(&settings.token, "PADDOCK_TOKEN").unwrap_or_default())?;
    let name = given(&settings.name, "PADDOCK_BOT").unwrap_or(bot.name().to_string());
    let hello = hello(&bot, name, settings.max_matches.unwrap_or(bot.max_matches()))?;
    let (idle, mut idled) = watch::channel(false);
    let stop_when_idle = settings.stop_when_idle;
    let when_idle = Box::new(move || _ = idle.send_replace(stop_when_idle));
    info!("connecting: {} to {}", hello.bot, route.next().target);
    let mut session = Session::new(Arc::new(bot), hello, when_idle);
    let (end, ended) = watch::channel(false);
    let mut asked = stop.clone();
    let either = tokio::spawn(async move {
        tokio::select! {
            () = stopped(&mut asked) => {}
            () = stopped(&mut idled) => {}
        }
        let _ = end.send(true);
        end.closed().await;
    });
    let outcome = stay_connected(route, token, &mut session, ended, settings.give_up_after).await;
    either.abort();
    session.close().await;
    outcome
}

fn token(text: &str) -> Result<Token, Error> {
    let token = text.trim(); // files that tokens are read from end in a newline
    if token.is_empty() {
        return Ok(None);
    }
    let bad = || Error::BadSettings("token: it has invalid characters; copy it again".to_string());
    if !token.bytes().all(|sign| (b' '..=b'~').contains(&sign)) {
        return Err(bad());
    }
    let mut value: MetadataValue<_> = format!("Bearer {token}").parse().map_err(|_| bad())?;
    value.set_sensitive(true);
    Ok(Some(value))
}

fn hello(bot: &impl Bot, name: String, max_matches: u32) -> Result<v1::Hello, Error> {
    if max_matches < 1 {
        return Err(Error::BadSettings("max_matches: give 1 or more, not 0".to_string()));
    }
    Ok(v1::Hello {
        bot: name,
        version: bot.version().chars().take(40).collect(),
        client: format!("paddock-rust/{}", env!("CARGO_PKG_VERSION")),
        protocol: PROTOCOL,
        formats: bot.formats().iter().map(ToString::to_string).collect(),
        known_formats: formats().map(ToString::to_string).collect(),
        max_matches,
        sends_nonces: true,
        commits_nonces: true,
        language: "Rust".to_string(),
        ..Default::default()
    })
}

/// Stop at the first signal; a second one ends the process.
fn stop_on_signals(stop: watch::Sender<bool>) {
    for (kind, number) in [(SignalKind::interrupt(), 2), (SignalKind::terminate(), 15)] {
        let Ok(mut signals) = signal(kind) else {
            continue;
        };
        let stop = stop.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if stop.send_replace(true) {
                    std::process::exit(128 + number);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_loses_its_newline_and_nothing_else_is_forgiven() {
        let value = token("pdk_1\n").unwrap().unwrap();
        assert_eq!(value.to_str().unwrap(), "Bearer pdk_1");
        assert!(token(" ").unwrap().is_none());
        assert!(token("pdk\u{7}1").is_err() && token("pdk_ä").is_err());
    }
}
