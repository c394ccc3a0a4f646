//! The command line of bots.

use std::path::PathBuf;
use std::process::ExitCode;

use log::LevelFilter;

use crate::address::DEFAULT_SERVER;
use crate::bot::Bot;
use crate::logging;
use crate::running::{Settings, run};

/// What a command line asks for.
enum Asked {
    Help,
    Run { settings: Settings, verbose: bool },
}

/// Run the bot with the options of the command line; `--help` lists them.
pub fn run_from_command_line(bot: impl Bot) -> ExitCode {
    let mut words = std::env::args();
    let program = words.next().unwrap_or_default();
    match parse(words) {
        Ok(Asked::Help) => {
            print!("{}", help(&bot, &program));
            ExitCode::SUCCESS
        }
        Ok(Asked::Run { settings, verbose }) => {
            logging::install(if verbose { LevelFilter::Debug } else { LevelFilter::Info });
            run(bot, settings)
        }
        Err(problem) => {
            eprintln!("{program}: {problem}; --help lists the options");
            ExitCode::from(2)
        }
    }
}

fn parse(words: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut settings = Settings::default();
    let mut verbose = false;
    let mut words = words;
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option.to_string(), Some(value.to_string())),
            None => (word, None),
        };
        let mut value = || value.clone().or_else(|| words.next()).ok_or(format!("{option}: give a value"));
        match option.as_str() {
            "-h" | "--help" => return Ok(Asked::Help),
            "--verbose" => verbose = true,
            "--server" => settings.server = Some(value()?),
            "--token" => settings.token = Some(value()?),
            "--name" => settings.name = Some(value()?),
            "--tls-ca" => settings.tls_ca = Some(PathBuf::from(value()?)),
            "--tls-cert" => settings.tls_cert = Some(PathBuf::from(value()?)),
            "--tls-key" => settings.tls_key = Some(PathBuf::from(value()?)),
            "--max-matches" => {
                let text = value()?;
                let number = text.parse().ok().filter(|&number: &u32| number > 0);
                settings.max_matches =
                    Some(number.ok_or(format!("--max-matches: give 1 or more, not {text:?}"))?);
            }
            _ => return Err(format!("there is no option {option:?}")),
        }
    }
    Ok(Asked::Run { settings, verbose })
}

fn help(bot: &impl Bot, program: &str) -> String {
    format!(
        "usage: {program} [options]

{about}

options:
  -h, --help          show this help message and exit
  --server HOST:PORT  the server, or https://HOST:PORT or unix:PATH, or several with commas between
                      them; default {DEFAULT_SERVER}
  --token TOKEN       the bot's token; better in PADDOCK_TOKEN
  --name NAME         the bot's name on the server; default {name}
  --tls-ca FILE       the file of the server's CA, PEM; turns TLS on
  --tls-cert FILE     the bot's own certificate, PEM
  --tls-key FILE      the key of the bot's certificate, PEM
  --max-matches N     most matches at once; default {matches}
  --verbose           log every decision

Missing options are taken from PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.
",
        about = bot.about(),
        name = bot.name(),
        matches = bot.max_matches(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Asked, String> {
        parse(words.iter().map(ToString::to_string))
    }

    #[test]
    fn options_have_their_value_behind_or_after_a_sign() {
        let Ok(Asked::Run { settings, verbose }) =
            parsed(&["--server", "a:1", "--name=mine", "--max-matches", "3", "--verbose"])
        else {
            panic!("refused");
        };
        assert_eq!(settings.server.as_deref(), Some("a:1"));
        assert_eq!(settings.name.as_deref(), Some("mine"));
        assert_eq!((settings.max_matches, verbose), (Some(3), true));
        assert!(matches!(parsed(&["--help"]), Ok(Asked::Help)));
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for words in [&["--no"][..], &["x"], &["--server"], &["--max-matches", "0"], &["--max-matches", "x"]]
        {
            assert!(parsed(words).is_err(), "{words:?}");
        }
    }
}
