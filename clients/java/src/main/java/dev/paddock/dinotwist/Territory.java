package dev.paddock.dinotwist;

import java.util.List;

/** A place on an island; Twist Island and every seat's island have them all. */
public enum Territory {
  /** The territory of a choice or an event that names none. */
  NOWHERE(Species.NONE),
  MOUNTAINS(Species.VOLI),
  CLIFF(Species.VOLI),
  JUNGLE(Species.KARNI),
  DESERT(Species.KARNI),
  RIVERSIDE(Species.HERBI),
  HILL(Species.HERBI),
  BEACH(Species.AQUA),
  SEA(Species.AQUA);

  /** All places in order, without NOWHERE. */
  public static final List<Territory> ALL =
      List.of(MOUNTAINS, CLIFF, JUNGLE, DESERT, RIVERSIDE, HILL, BEACH, SEA);

  private final Species species;

  Territory(Species species) {
    this.species = species;
  }

  /** Returns the species that lives on the territory (T2). */
  public Species species() {
    return species;
  }
}
