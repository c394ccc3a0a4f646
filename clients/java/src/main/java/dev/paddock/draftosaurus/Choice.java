package dev.paddock.draftosaurus;

import dev.paddock.game.GameChoice;

/**
 * One decision: PLACE a dinosaur in a pen, PICK one, REMOVE one, or MOVE the one in quarantine (to
 * QUARANTINE itself: it stays).
 *
 * @param number in the list of legal choices; what {@code choose} returns
 * @param kind what is decided
 * @param placement the dinosaur and where it goes; PICK and REMOVE name no pen
 */
public record Choice(int number, Phase kind, Placement placement) implements GameChoice {
  /** Returns the dinosaur. */
  public Species species() {
    return placement.species();
  }

  /** Returns where it goes; NONE for PICK and REMOVE. */
  public Pen pen() {
    return placement.pen();
  }

  /** Returns the slot of the pyramid; 0 everywhere else. */
  public int slot() {
    return placement.slot();
  }

  @Override
  public String toString() {
    String words = kind + " " + species();
    return switch (pen()) {
      case NONE -> words;
      case PYRAMID -> words + " in PYRAMID slot " + slot();
      default -> words + " in " + pen();
    };
  }
}
