package dev.paddock.dinotwist;

/** One way to attack: the territory, and where the beaten Dino settles, or NOWHERE. */
public record Way(Territory territory, Territory settle) {}
