package dev.paddock.dinotwist;

import java.util.Map;

/**
 * The points of one seat.
 *
 * @param total all points
 * @param parts ISLAND, GRAVEYARD, ISLAND_BONUS and CLAW_BONUS
 * @param claws cards with a claw on the island
 */
public record Score(int total, Map<String, Integer> parts, int claws) {}
