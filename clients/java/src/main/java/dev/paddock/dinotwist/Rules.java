package dev.paddock.dinotwist;

import dev.paddock.game.GameRules;

/**
 * The rule options of a match, as docs/rules/dino-twist.md has them, and the version of the rules.
 *
 * @param buryBySpecies version 1 only
 */
public record Rules(
    int clawCopies,
    String clawStrengths,
    boolean quietFirstRound,
    boolean graveyardPerCard,
    boolean equalsInSeatOrder,
    boolean attackWithPlay,
    boolean fizzledReturns,
    boolean attackMayBeWaived,
    boolean mustSettle,
    boolean buryBySpecies,
    boolean buryByTerritory,
    boolean babiesReshuffled,
    boolean othersDrawLast,
    boolean discardInTurn,
    String islandBonusTies,
    String smallSeats,
    int version)
    implements GameRules {
  /** The newest version of the rules that is known here. */
  public static final int NEWEST = 2;
}
