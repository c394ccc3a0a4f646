package dev.paddock.draftosaurus;

/** What is being decided, and the kind of a choice. */
public enum Phase {
  /** Never sent. */
  NONE,
  PICK,
  PLACE,
  REMOVE,
  MOVE,
  /** Nothing: the match is over. */
  OVER
}
