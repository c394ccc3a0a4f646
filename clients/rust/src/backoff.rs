//! The wait before the next attempt to connect.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;

const FIRST: Duration = Duration::from_millis(100);
pub(crate) const LONGEST: Duration = Duration::from_secs(10);

/// Waits that double up to ten seconds, with full jitter, so that the bots of a server that went
/// away do not all come back at the same moment.
pub(crate) struct Backoff {
    rng: StdRng,
    failures: u32,
}

impl Backoff {
    pub(crate) fn new(rng: StdRng) -> Self {
        Backoff { rng, failures: 0 }
    }

    /// How long to wait now, in addition to what the server asked for.
    pub(crate) fn next(&mut self, at_least: Duration) -> Duration {
        let longest = LONGEST.min(FIRST * 2u32.pow(self.failures.min(20)));
        self.failures += 1;
        at_least + longest.mul_f64(self.rng.random::<f64>())
    }

    /// Begin with short waits again, after a connection that lasted.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}
