package dev.paddock;

/**
 * The bot in a seat.
 *
 * @param bot its name
 * @param version its version
 * @param owner its owner
 * @param cpuShare the share of a core that it has at least, where the arena runs it; 0: it does
 *     not, or promises none
 */
public record Seat(String bot, String version, String owner, double cpuShare) {}
