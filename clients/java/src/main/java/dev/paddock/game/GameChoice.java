package dev.paddock.game;

/** A choice of any game; {@code toString} says it in words. */
public interface GameChoice {
  /** Returns its number in the list of legal choices; -1 for a choice that was only revealed. */
  int number();
}
