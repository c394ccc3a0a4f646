/**
 * The sample bots, each a few lines to learn from. docs/sample-bots.md says to the last tie what
 * they choose.
 */
package dev.paddock.bots;
