//! The choices of the sample bots for recorded asks, to compare them between languages.
//!
//! Reads lines: `match SECRET BASE64(MatchStarted)` begins a match, `ask BASE64(Ask)` is an ask of
//! it. Prints one line for every ask: the numbers that random, greedy and careful choose.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use paddock::bots::{Careful, Greedy, Random};
use paddock::v1::{Ask as AskMessage, MatchStarted};
use paddock::{Answer, Ask, Bot, Dice, match_seed};
use prost::Message;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let bots: [&dyn Bot; 3] = [&Random, &Greedy, &Careful];
    let mut started = MatchStarted::default();
    let mut seed = [0; 32];
    let mut decision = 0;
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line?;
        let (rest, message) = line.rsplit_once(' ').ok_or("a line without a message")?;
        match rest.split_once(' ').unwrap_or((rest, "")) {
            ("match", secret) => {
                started = MatchStarted::decode(&STANDARD.decode(message)?[..])?;
                seed = match_seed(secret.as_bytes(), &started.dice, started.seat as usize);
                decision = 0;
            }
            ("ask", _) => {
                let message = AskMessage::decode(&STANDARD.decode(message)?[..])?;
                let mut numbers = Vec::new();
                for bot in bots {
                    let ask = Ask::recorded(&started, &message, Dice::new(&seed, decision))?;
                    numbers.push(match bot.choose(&ask)? {
                        Answer::Number(number) => number.to_string(),
                        Answer::Choice(choice) => choice.to_string(),
                    });
                }
                decision += 1;
                writeln!(out, "{}", numbers.join(" "))?;
            }
            _ => return Err(format!("neither a match nor an ask: {line:?}").into()),
        }
    }
    Ok(())
}
