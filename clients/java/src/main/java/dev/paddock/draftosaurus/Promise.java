package dev.paddock.draftosaurus;

import java.util.Map;

/**
 * What the states of a pen promise, as pairs in tenths of a point: by state, and for the plenty of
 * what the pen wants. The tables are those of docs/sample-bots.md.
 */
record Promise(int[][] states, int[] plenty) {
  private static final Map<Pen, Promise> SUMMER =
      Map.of(
          Pen.FOREST_OF_SAMENESS,
          new Promise(
              new int[][] {
                {0, 0}, {-29, 34}, {-15, 37}, {-22, 49}, {-48, 21}, {-59, 18}, {-57, 18}
              },
              new int[] {5, 13}),
          Pen.WOODY_TRIO,
          new Promise(new int[][] {{0, 0}, {69, -44}, {195, -168}, {-15, 39}}, new int[] {0, 0}),
          Pen.KING_OF_THE_JUNGLE,
          new Promise(
              new int[][] {
                {0, 0}, {-109, 64}, {-78, 80}, {-181, 126}, {-112, 65}, {-89, 55}, {-91, 71}
              },
              new int[] {-18, 11}),
          Pen.PRAIRIE_OF_LOVE,
          new Promise(
              new int[][] {{0, 0}, {34, -10}, {22, 19}, {-27, -8}, {-35, -13}},
              new int[] {23, -20}),
          Pen.MEADOW_OF_DIFFERENCES,
          new Promise(
              new int[][] {{0, 0}, {23, 0}, {46, -9}, {54, -11}, {39, -1}, {2, 5}, {-40, -17}},
              new int[] {37, -55}),
          Pen.SOLITARY_ISLAND,
          new Promise(new int[][] {{0, 0}, {-130, 72}, {-43, 39}}, new int[] {-92, 27}));

  private static final Map<Pen, Promise> SUMMER_OF_TWO =
      Map.of(
          Pen.FOREST_OF_SAMENESS,
          new Promise(
              new int[][] {
                {0, 0}, {-31, 36}, {-23, 52}, {-30, 49}, {-57, 32}, {-65, 27}, {-65, 27}
              },
              new int[] {10, 1}),
          Pen.WOODY_TRIO,
          new Promise(new int[][] {{0, 0}, {53, -28}, {149, -99}, {7, 1}}, new int[] {0, 0}),
          Pen.KING_OF_THE_JUNGLE,
          new Promise(
              new int[][] {
                {0, 0}, {-82, 23}, {-15, 37}, {-139, 77}, {-75, 16}, {-60, 12}, {-52, 8}
              },
              new int[] {-21, 19}),
          Pen.PRAIRIE_OF_LOVE,
          new Promise(
              new int[][] {{0, 0}, {34, -13}, {18, 13}, {-37, -8}, {-42, -10}},
              new int[] {25, -16}),
          Pen.MEADOW_OF_DIFFERENCES,
          new Promise(
              new int[][] {
                {0, 0}, {28, -11}, {48, -19}, {55, -27}, {32, -12}, {-22, 1}, {-68, -29}
              },
              new int[] {42, -60}),
          Pen.SOLITARY_ISLAND,
          new Promise(new int[][] {{0, 0}, {-133, 76}, {-49, 53}}, new int[] {-84, 25}));

  private static final Map<Pen, Promise> WINTER =
      Map.of(
          Pen.WELL_ORDERED_WOOD,
          new Promise(
              new int[][] {{0, 0}, {-3, 9}, {6, 13}, {6, 34}, {15, 39}, {-23, 32}, {-45, 28}},
              new int[] {10, 8}),
          Pen.LOOKOUT,
          new Promise(new int[][] {{0, 0}, {-46, 59}}, new int[] {50, -9}),
          Pen.LOVERS_BRIDGE_LEFT,
          new Promise(
              new int[][] {{0, 0}, {56, -30}, {87, -31}, {55, 30}, {-9, 8}, {-17, 4}},
              new int[] {34, -23}),
          Pen.PYRAMID,
          new Promise(
              new int[][] {
                {0, 0}, {2, 10}, {29, 2}, {100, -56}, {116, -88}, {155, -176}, {-20, -66}
              },
              new int[] {0, 0}));

  private static final Map<Pen, Promise> WINTER_OF_TWO =
      Map.of(
          Pen.WELL_ORDERED_WOOD,
          new Promise(
              new int[][] {{0, 0}, {-6, 4}, {-9, 8}, {3, 31}, {12, 38}, {-22, 32}, {-45, 28}},
              new int[] {9, 16}),
          Pen.LOOKOUT,
          new Promise(new int[][] {{0, 0}, {-71, 76}}, new int[] {44, -18}),
          Pen.LOVERS_BRIDGE_LEFT,
          new Promise(
              new int[][] {{0, 0}, {36, -10}, {80, -40}, {68, 19}, {29, 25}, {-15, 5}},
              new int[] {44, -26}),
          Pen.PYRAMID,
          new Promise(
              new int[][] {
                {0, 0}, {2, 13}, {38, -12}, {91, -69}, {100, -104}, {106, -204}, {-9, -62}
              },
              new int[] {0, 0}));

  /** Returns what the pens of a board promise; others promise nothing. */
  static Map<Pen, Promise> of(Board board, int seats) {
    if (board == Board.WINTER) {
      return seats == 2 ? WINTER_OF_TWO : WINTER;
    }
    return seats == 2 ? SUMMER_OF_TWO : SUMMER;
  }
}
