//! The dice of a bot: random numbers that are common to the matches of a comparison's block.
//!
//! The server sends a seed with every match. It is new, except in a comparison: there all matches
//! of a block have the same seed, so that the field has the same luck against the new version and
//! the old one. The client mixes in a secret, so that nobody else can predict the numbers.

use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;
use rand::rngs::StdRng;
use ring::hmac;

use crate::digest::{random, sha256};

const PREFIX: &[u8] = b"paddock-deal-1";

/// A secret of this client, unless PADDOCK_DICE_SECRET gives several bots a common secret.
pub(crate) fn own_secret() -> Vec<u8> {
    match std::env::var("PADDOCK_DICE_SECRET") {
        Ok(secret) if !secret.is_empty() => secret.into_bytes(),
        _ => random::<32>().to_vec(),
    }
}

/// The seed of a seat's own dice in a match, from the client's secret and `MatchStarted.dice`.
pub fn match_seed(secret: &[u8], dice: &[u8], seat: usize) -> [u8; 32] {
    sha256(&[secret, dice, &[seat as u8]])
}

/// The random numbers of one decision.
#[derive(Debug)]
pub struct Dice {
    seed: [u8; 32],
    drawn: Mutex<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    words: u64, // of the stream, so far
    block: [u8; 32],
    rng: StdRng,
}

impl Dice {
    /// The dice of a decision: the n-th ask of a match that the client chose for, from 0.
    pub fn new(match_seed: &[u8; 32], decision: u32) -> Self {
        let seed = sha256(&[match_seed, &decision.to_be_bytes()]);
        let drawn = Drawn { words: 0, block: [0; 32], rng: StdRng::from_seed(seed) };
        Dice { seed, drawn: Mutex::new(drawn) }
    }

    /// A number from 0 to n - 1 that other languages draw alike: see docs/sample-bots.md.
    pub fn below(&self, n: usize) -> usize {
        assert!(n > 0 && n as u64 <= 1 << 32, "below: give a number from 1 to 2^32, not {n}");
        let n = n as u64;
        let limit = (1 << 32) - (1 << 32) % n;
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let word = u64::from(drawn.word(&self.seed));
            if word < limit {
                return (word % n) as usize;
            }
        }
    }

    /// A generator of Rust's own for this decision; every call gives another one.
    pub fn rng(&self) -> StdRng {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        StdRng::from_rng(&mut drawn.rng)
    }
}

impl Drawn {
    fn word(&mut self, seed: &[u8; 32]) -> u32 {
        let at = (self.words % 8) as usize;
        if at == 0 {
            let key = hmac::Key::new(hmac::HMAC_SHA256, seed);
            let mut message = PREFIX.to_vec();
            message.extend((self.words / 8).to_be_bytes());
            self.block.copy_from_slice(hmac::sign(&key, &message).as_ref());
        }
        self.words += 1;
        let mut word = [0; 4];
        word.copy_from_slice(&self.block[4 * at..4 * at + 4]);
        u32::from_be_bytes(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn numbers_are_those_of_every_language() {
        let dice = Dice::new(&match_seed(b"secret", &[1; 16], 2), 3);
        let drawn: Vec<usize> = [6, 6, 6, 100, 1, 1 << 31, 3, 10, 7, 7].map(|n| dice.below(n)).to_vec();
        assert_eq!(drawn, [4, 5, 5, 11, 0, 1088366491, 2, 5, 5, 1]);
    }

    #[test]
    fn generators_of_a_decision_can_be_repeated_and_differ() {
        let draws = |dice: &Dice| [dice.rng().random::<u64>(), dice.rng().random::<u64>()];
        let one = draws(&Dice::new(&[5; 32], 0));
        assert_eq!(one, draws(&Dice::new(&[5; 32], 0)));
        assert_ne!(one[0], one[1]);
        assert_ne!(one, draws(&Dice::new(&[5; 32], 1)));
    }

    #[test]
    #[should_panic(expected = "give a number from 1")]
    fn there_is_no_number_below_none() {
        Dice::new(&[0; 32], 0).below(0);
    }
}
