package dev.paddock.draftosaurus;

import java.util.Map;

/**
 * The points of one zoo.
 *
 * @param total all points
 * @param parts by pen, LOVERS_BRIDGE for both banks, RIVER and T_REX_BONUS
 * @param tRexes they decide ties (D24)
 */
public record Score(int total, Map<String, Integer> parts, int tRexes) {}
