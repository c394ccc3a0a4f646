package dev.paddock.draftosaurus;

/** A kind of dinosaur, in the order of the rules; each has the number that it has on the wire. */
public enum Species {
  /** A free slot of the pyramid. */
  NONE,
  T_REX,
  DIPLODOCUS,
  TRICERATOPS,
  SPINOSAURUS,
  STEGOSAURUS,
  PARASAUROLOPHUS
}
