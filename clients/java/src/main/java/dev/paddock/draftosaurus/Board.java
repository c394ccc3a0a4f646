package dev.paddock.draftosaurus;

import java.util.List;

/** A side of the board. */
public enum Board {
  /** Never sent. */
  NONE(List.of()),
  SUMMER(
      List.of(
          Pen.FOREST_OF_SAMENESS,
          Pen.WOODY_TRIO,
          Pen.KING_OF_THE_JUNGLE,
          Pen.PRAIRIE_OF_LOVE,
          Pen.MEADOW_OF_DIFFERENCES,
          Pen.SOLITARY_ISLAND,
          Pen.RIVER)),
  WINTER(
      List.of(
          Pen.WELL_ORDERED_WOOD,
          Pen.LOOKOUT,
          Pen.LOVERS_BRIDGE_LEFT,
          Pen.LOVERS_BRIDGE_RIGHT,
          Pen.PYRAMID,
          Pen.QUARANTINE,
          Pen.RIVER));

  private final List<Pen> pens;

  Board(List<Pen> pens) {
    this.pens = pens;
  }

  /** Returns the places of the board in order, the river last. */
  public List<Pen> pens() {
    return pens;
  }
}
