package dev.paddock.dinotwist;

/** A kind of Dino, in the order of the rules; each has the number that it has on the wire. */
public enum Species {
  /** The species of a choice or an event that names none. */
  NONE,
  AQUA,
  KARNI,
  HERBI,
  VOLI
}
