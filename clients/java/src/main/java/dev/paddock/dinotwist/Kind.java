package dev.paddock.dinotwist;

/** What a choice is. */
public enum Kind {
  /** Never sent. */
  NONE,
  PLAY,
  BURY,
  ATTACK,
  DISCARD
}
