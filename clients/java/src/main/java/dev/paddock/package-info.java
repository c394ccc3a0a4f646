/**
 * The Java SDK of Paddock: a bot says what to choose, and the SDK does the rest.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *   Paddock.run(ask -> ask.below(ask.legal().size()), new Settings().name("mine"));
 * }
 * }</pre>
 */
package dev.paddock;
