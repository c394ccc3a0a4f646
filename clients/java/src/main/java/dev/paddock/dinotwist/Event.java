package dev.paddock.dinotwist;

/**
 * An event card.
 *
 * @param kind what it does
 * @param territory of a METEOR
 * @param species of a FURY
 */
public record Event(EventKind kind, Territory territory, Species species) {
  /** Returns how much more a play of the species counts. */
  public int bonus(Species played) {
    return switch (kind) {
      case CARNAGE -> 2;
      case FURY -> species == played ? 3 : 0;
      default -> 0;
    };
  }
}
