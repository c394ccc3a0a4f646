package dev.paddock.draftosaurus;

/** A place in a zoo: the six pens of either board, and the river. */
public enum Pen {
  /** The pen of a choice that names none. */
  NONE(Face.NONE, Face.NONE, 0),
  FOREST_OF_SAMENESS(Face.WOODLANDS, Face.FOOD_COURT, 6),
  WOODY_TRIO(Face.WOODLANDS, Face.FOOD_COURT, 3),
  KING_OF_THE_JUNGLE(Face.WOODLANDS, Face.RESTROOMS, 1),
  PRAIRIE_OF_LOVE(Face.GRASSLANDS, Face.FOOD_COURT, Zoo.SIZE),
  MEADOW_OF_DIFFERENCES(Face.GRASSLANDS, Face.RESTROOMS, 6),
  SOLITARY_ISLAND(Face.GRASSLANDS, Face.RESTROOMS, 1),
  WELL_ORDERED_WOOD(Face.WOODLANDS, Face.FOOD_COURT, 6),
  LOOKOUT(Face.WOODLANDS, Face.RESTROOMS, 1),
  LOVERS_BRIDGE_LEFT(Face.WOODLANDS, Face.FOOD_COURT, Zoo.SIZE),
  LOVERS_BRIDGE_RIGHT(Face.GRASSLANDS, Face.RESTROOMS, Zoo.SIZE), // A6
  PYRAMID(Face.GRASSLANDS, Face.RESTROOMS, Zoo.PYRAMID_SLOTS),
  QUARANTINE(Face.GRASSLANDS, Face.FOOD_COURT, 1),
  RIVER(Face.NONE, Face.NONE, Zoo.SIZE); // D18

  private final Face section;
  private final Face side;
  private final int holds;

  Pen(Face section, Face side, int holds) {
    this.section = section;
    this.side = side;
    this.holds = holds;
  }

  /** Returns how many dinosaurs the pen holds. */
  public int holds() {
    return holds;
  }

  /** Tells whether the face is that of the pen's section, or that of its side of the river. */
  boolean liesIn(Face face) {
    return section == face || side == face;
  }
}
