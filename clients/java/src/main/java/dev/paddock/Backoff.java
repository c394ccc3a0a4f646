package dev.paddock;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The wait before the next attempt to connect. Waits double up to ten seconds, with full jitter, so
 * that the bots of a server that went away do not all come back at the same moment.
 */
final class Backoff {
  static final Duration LONGEST = Duration.ofSeconds(10);
  static final Duration FIRST = Duration.ofMillis(100);

  private final RandomGenerator random;
  private int failures;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** Returns how long to wait now, in addition to what the server asked for. */
  Duration next(Duration atLeast) {
    long longest = Math.min(LONGEST.toMillis(), FIRST.toMillis() << Math.min(failures, 20));
    failures++;
    return atLeast.plusMillis(random.nextLong(longest));
  }

  /** Begins with short waits again, after a connection that lasted. */
  void reset() {
    failures = 0;
  }
}
