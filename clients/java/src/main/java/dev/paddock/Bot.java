package dev.paddock;

/**
 * A bot: {@code choose} is all that it needs.
 *
 * <p>Matches are played at the same time, each in a thread of its own; what concerns one match is
 * called in order, one call after the other.
 */
@FunctionalInterface
public interface Bot {
  /**
   * Returns the number of one of the legal choices. Where it throws, or returns another number, the
   * referee plays its default choice, and counts a fallback.
   */
  int choose(Ask ask) throws Exception;

  /** A match begins. */
  default void started(Match match) {}

  /** Everybody chose. */
  default void happened(Match match, Event event) {}

  /** An answer did not count. */
  default void refused(Match match, Refusal refusal) {}

  /** A match ended. */
  default void ended(Match match, Result result) {}
}
