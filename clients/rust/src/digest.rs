//! Digests and random bytes.

use ring::digest::{Context, SHA256};
use ring::rand::{SecureRandom, SystemRandom};

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
