const FIRST_MS = 100;
export const LONGEST_MS = 10_000;

/**
 * Waits that double up to ten seconds, with full jitter, so that the bots of a server that went away
 * do not all come back at the same moment.
 */
export class Backoff {
  #failures = 0;

  /** The time to wait now, in addition to what the server asked for. */
  nextMs(atLeastMs: number): number {
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.#failures++, 30));
    return atLeastMs + Math.random() * longest;
  }

  /** Begin with short waits again, after a connection that lasted. */
  reset(): void {
    this.#failures = 0;
  }
}
