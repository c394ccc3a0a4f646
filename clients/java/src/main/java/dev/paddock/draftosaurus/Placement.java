package dev.paddock.draftosaurus;

/** A dinosaur, a pen and a slot; the slot is 0 everywhere but in the pyramid. */
public record Placement(Species species, Pen pen, int slot) {}
