//! The part of this client in a deal: its nonce, and the digests of the others.

use crate::digest::{random, sha256};
use crate::v1;
use crate::v1::bot_item::Item;

const NONCE_BYTES: usize = 16;

/// This client's part in the deal of one match: its nonce, which it sends in one step or in two, and
/// the digests of the others. The nonce is the same on every stream. It is opened only to a server
/// that told the digests of all seats before, the same ones every time.
pub(crate) struct Part {
    match_id: String,
    seat: usize,
    nonce: [u8; NONCE_BYTES],
    committed: bool,       // whether the digest was sent
    digests: Vec<Vec<u8>>, // of all seats, as they were told first
}

impl Part {
    pub(crate) fn new(match_id: &str, seat: usize) -> Self {
        let (match_id, nonce) = (match_id.to_string(), random());
        Part { match_id, seat, nonce, committed: false, digests: Vec::new() }
    }

    /// The answer to MatchStarted; None: the digest was sent before, and is not wanted now.
    pub(crate) fn begin(&mut self, commit: bool) -> Option<Item> {
        if commit {
            self.committed = true;
            let (match_id, digest) = (self.match_id.clone(), sha256(&[&self.nonce]).to_vec());
            return Some(Item::NonceCommitment(v1::NonceCommitment { match_id, digest }));
        }
        (!self.committed).then(|| self.open())
    }

    /// The answer to NonceCommitments; None: they are wrong, and the nonce stays secret.
    pub(crate) fn told(&mut self, digests: Vec<Vec<u8>>) -> Option<Item> {
        let mine = digests.get(self.seat).is_some_and(|told| told[..] == sha256(&[&self.nonce]));
        let changed = !self.digests.is_empty() && self.digests != digests;
        if !self.committed || !mine || changed {
            return None;
        }
        self.digests = digests;
        Some(self.open())
    }

    /// What is wrong with the nonces that the deal was made of; None: nothing is.
    pub(crate) fn wrong(&self, nonces: &[Vec<u8>]) -> Option<String> {
        let seats = self.digests.len();
        if seats == 0 {
            return None;
        }
        if nonces.len() != seats {
            return Some(format!("the server tells {} nonces of {seats} seats", nonces.len()));
        }
        let none = [0; NONCE_BYTES];
        let fits =
            |(nonce, digest): (&Vec<u8>, &Vec<u8>)| nonce[..] == none || sha256(&[nonce])[..] == digest[..];
        if let Some(seat) = nonces.iter().zip(&self.digests).position(|both| !fits(both)) {
            return Some(format!("the nonce of seat {seat} does not fit the digest that was told before"));
        }
        let is_used = nonces[self.seat] == self.nonce;
        (!is_used)
            .then(|| "the deal was made without the nonce of this seat, as if it had been late".to_string())
    }

    fn open(&self) -> Item {
        Item::Nonce(v1::Nonce { match_id: self.match_id.clone(), nonce: self.nonce.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [u8; NONCE_BYTES] = [0; NONCE_BYTES];

    fn digest(nonce: &[u8]) -> Vec<u8> {
        sha256(&[nonce]).to_vec()
    }

    fn opened(item: Option<Item>, part: &Part) -> bool {
        match item {
            Some(Item::Nonce(nonce)) => nonce.match_id == "M" && nonce.nonce == part.nonce,
            Some(other) => panic!("not a nonce: {other:?}"),
            None => false,
        }
    }

    #[test]
    fn a_nonce_is_opened_only_to_a_server_that_keeps_to_its_digests() {
        let mut part = Part::new("M", 1);
        let (mine, theirs) = (digest(&part.nonce), digest(&NONE));
        let right = vec![theirs.clone(), mine.clone()];
        assert_eq!(part.told(right.clone()), None, "its digest was not sent");
        assert!(matches!(part.begin(true), Some(Item::NonceCommitment(_))));
        assert_eq!(part.begin(false), None, "the digests of the others are not known");
        assert_eq!(part.told(vec![mine.clone(), theirs]), None, "its digest is not there");
        assert_eq!(part.told(Vec::new()), None, "its digest is not there");
        for _ in 0..2 {
            let item = part.told(right.clone());
            assert!(opened(item, &part));
        }
        assert_eq!(part.told(vec![mine.clone(), mine]), None, "other digests than before");
        assert_eq!(part.told(Vec::new()), None, "other digests than before");
        assert_eq!(part.begin(false), None, "it was bound before");

        let (own, none) = (part.nonce.to_vec(), NONE.to_vec());
        assert_eq!(part.wrong(&[none.clone(), own.clone()]), None);
        let wrong = |nonces: &[Vec<u8>]| part.wrong(nonces).unwrap_or_default();
        assert_eq!(wrong(std::slice::from_ref(&none)), "the server tells 1 nonces of 2 seats");
        assert!(wrong(&[own.clone(), own]).starts_with("the nonce of seat 0 does not fit"));
        assert!(wrong(&[none.clone(), none]).starts_with("the deal was made without the nonce"));
    }

    #[test]
    fn a_nonce_is_sent_at_once_where_nobody_commits() {
        let mut part = Part::new("M", 0);
        let item = part.begin(false);
        assert!(opened(item, &part));
        assert_eq!(part.wrong(&[]), None);
    }
}
