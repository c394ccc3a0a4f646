package dev.paddock.draftosaurus;

import dev.paddock.game.GameRules;

/**
 * The rule options of a match.
 *
 * @param quarantineMayStay A1
 * @param fivePlayerDieHold A2
 * @param prairieCapacity A3; 0: any number
 * @param placeAfterReveal A4
 */
public record Rules(
    boolean quarantineMayStay,
    boolean fivePlayerDieHold,
    int prairieCapacity,
    boolean placeAfterReveal)
    implements GameRules {}
