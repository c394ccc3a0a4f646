package dev.paddock;

import java.time.Duration;

/**
 * How time is counted: every decision may take `base`, and what it takes longer comes out of the
 * `bank`.
 *
 * @param maxFaults in a row, until the seat forfeits
 */
public record Clock(Duration base, Duration bank, Duration lagAllowance, int maxFaults) {}
