import type { Board, Pen } from "./material.js";

type Pair = readonly [number, number];

/**
 * What the states of a pen promise, as pairs in tenths of a point: by state, and for the plenty of
 * what the pen wants.
 */
export type Promises = Readonly<
  Partial<Record<Pen, { readonly states: readonly Pair[]; readonly plenty: Pair }>>
>;

/** The tables of docs/sample-bots.md. */
export const PROMISES: Readonly<
  Record<Board, { readonly two: Promises; readonly more: Promises }>
> = {
  SUMMER: {
    more: {
      FOREST_OF_SAMENESS: {
        states: [
          [0, 0],
          [-29, 34],
          [-15, 37],
          [-22, 49],
          [-48, 21],
          [-59, 18],
          [-57, 18],
        ],
        plenty: [5, 13],
      },
      WOODY_TRIO: {
        states: [
          [0, 0],
          [69, -44],
          [195, -168],
          [-15, 39],
        ],
        plenty: [0, 0],
      },
      KING_OF_THE_JUNGLE: {
        states: [
          [0, 0],
          [-109, 64],
          [-78, 80],
          [-181, 126],
          [-112, 65],
          [-89, 55],
          [-91, 71],
        ],
        plenty: [-18, 11],
      },
      PRAIRIE_OF_LOVE: {
        states: [
          [0, 0],
          [34, -10],
          [22, 19],
          [-27, -8],
          [-35, -13],
        ],
        plenty: [23, -20],
      },
      MEADOW_OF_DIFFERENCES: {
        states: [
          [0, 0],
          [23, 0],
          [46, -9],
          [54, -11],
          [39, -1],
          [2, 5],
          [-40, -17],
        ],
        plenty: [37, -55],
      },
      SOLITARY_ISLAND: {
        states: [
          [0, 0],
          [-130, 72],
          [-43, 39],
        ],
        plenty: [-92, 27],
      },
    },
    two: {
      FOREST_OF_SAMENESS: {
        states: [
          [0, 0],
          [-31, 36],
          [-23, 52],
          [-30, 49],
          [-57, 32],
          [-65, 27],
          [-65, 27],
        ],
        plenty: [10, 1],
      },
      WOODY_TRIO: {
        states: [
          [0, 0],
          [53, -28],
          [149, -99],
          [7, 1],
        ],
        plenty: [0, 0],
      },
      KING_OF_THE_JUNGLE: {
        states: [
          [0, 0],
          [-82, 23],
          [-15, 37],
          [-139, 77],
          [-75, 16],
          [-60, 12],
          [-52, 8],
        ],
        plenty: [-21, 19],
      },
      PRAIRIE_OF_LOVE: {
        states: [
          [0, 0],
          [34, -13],
          [18, 13],
          [-37, -8],
          [-42, -10],
        ],
        plenty: [25, -16],
      },
      MEADOW_OF_DIFFERENCES: {
        states: [
          [0, 0],
          [28, -11],
          [48, -19],
          [55, -27],
          [32, -12],
          [-22, 1],
          [-68, -29],
        ],
        plenty: [42, -60],
      },
      SOLITARY_ISLAND: {
        states: [
          [0, 0],
          [-133, 76],
          [-49, 53],
        ],
        plenty: [-84, 25],
      },
    },
  },
  WINTER: {
    more: {
      WELL_ORDERED_WOOD: {
        states: [
          [0, 0],
          [-3, 9],
          [6, 13],
          [6, 34],
          [15, 39],
          [-23, 32],
          [-45, 28],
        ],
        plenty: [10, 8],
      },
      LOOKOUT: {
        states: [
          [0, 0],
          [-46, 59],
        ],
        plenty: [50, -9],
      },
      LOVERS_BRIDGE_LEFT: {
        states: [
          [0, 0],
          [56, -30],
          [87, -31],
          [55, 30],
          [-9, 8],
          [-17, 4],
        ],
        plenty: [34, -23],
      },
      PYRAMID: {
        states: [
          [0, 0],
          [2, 10],
          [29, 2],
          [100, -56],
          [116, -88],
          [155, -176],
          [-20, -66],
        ],
        plenty: [0, 0],
      },
    },
    two: {
      WELL_ORDERED_WOOD: {
        states: [
          [0, 0],
          [-6, 4],
          [-9, 8],
          [3, 31],
          [12, 38],
          [-22, 32],
          [-45, 28],
        ],
        plenty: [9, 16],
      },
      LOOKOUT: {
        states: [
          [0, 0],
          [-71, 76],
        ],
        plenty: [44, -18],
      },
      LOVERS_BRIDGE_LEFT: {
        states: [
          [0, 0],
          [36, -10],
          [80, -40],
          [68, 19],
          [29, 25],
          [-15, 5],
        ],
        plenty: [44, -26],
      },
      PYRAMID: {
        states: [
          [0, 0],
          [2, 13],
          [38, -12],
          [91, -69],
          [100, -104],
          [106, -204],
          [-9, -62],
        ],
        plenty: [0, 0],
      },
    },
  },
};
