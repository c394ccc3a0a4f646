package dev.paddock;

/**
 * An answer that did not count.
 *
 * @param reason stable, such as choice/stale
 * @param sentence what is wrong, and what to do
 */
public record Refusal(long askId, String reason, String sentence) {}
