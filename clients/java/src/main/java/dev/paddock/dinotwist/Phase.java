package dev.paddock.dinotwist;

/** What is being decided. */
public enum Phase {
  /** Never sent. */
  NONE,
  DISCARD,
  PLAY,
  ATTACK,
  /** Nothing: the match is over. */
  OVER
}
