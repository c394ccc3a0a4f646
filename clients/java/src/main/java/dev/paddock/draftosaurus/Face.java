package dev.paddock.draftosaurus;

/** A face of the die: it says which pens a seat that did not roll may use. */
public enum Face {
  /** No die was rolled, or it does not bind. */
  NONE,
  WOODLANDS,
  GRASSLANDS,
  RESTROOMS,
  FOOD_COURT,
  EMPTY_PEN,
  NO_T_REX
}
