package dev.paddock.dinotwist;

/** What an event card does. */
public enum EventKind {
  /** No event applies (B3). */
  NONE,
  METEOR,
  FURY,
  VOLCANO,
  NEVER_TWO_WITHOUT_THREE,
  ALONE,
  EARTHQUAKE,
  TORNADO,
  NEW_GENERATIONS,
  CARNAGE,
  HELP
}
