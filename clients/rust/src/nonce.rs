//! The nonce of a seat: its part of the deal, bound by a digest before it is told.

use ring::digest::{Context, SHA256};
use ring::rand::{SecureRandom, SystemRandom};

use crate::v1;
use crate::v1::bot_item::Item;

/// SHA-256 of some bytes, one part after the other.
pub(crate) fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    parts.iter().for_each(|part| context.update(part));
    let mut digest = [0; 32];
    digest.copy_from_slice(context.finish().as_ref());
    digest
}

/// Random bytes that nobody can foretell.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).expect("the system has random numbers");
    bytes
}

/// The nonce of one match; it stays the same however often the match is told.
pub(crate) struct Nonce {
    match_id: String,
    bytes: [u8; 16],
}

impl Nonce {
    pub(crate) fn new(match_id: &str) -> Self {
        Nonce { match_id: match_id.to_string(), bytes: random() }
    }

    /// The answer to a MatchStarted: the nonce, or its digest where nonces come in two steps.
    pub(crate) fn first_step(&self, commit: bool) -> Item {
        if !commit {
            return self.open();
        }
        Item::NonceCommitment(v1::NonceCommitment {
            match_id: self.match_id.clone(),
            digest: sha256(&[&self.bytes]).to_vec(),
        })
    }

    /// The answer to NonceCommitments; None where this seat's digest is not the one it sent.
    pub(crate) fn second_step(&self, digests: &[Vec<u8>], seat: usize) -> Option<Item> {
        let own = sha256(&[&self.bytes]);
        let told = digests.get(seat)?;
        (told[..] == own).then(|| self.open())
    }

    fn open(&self) -> Item {
        Item::Nonce(v1::Nonce { match_id: self.match_id.clone(), nonce: self.bytes.to_vec() })
    }
}
