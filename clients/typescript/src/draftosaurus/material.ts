// The material of Draftosaurus, as docs/rules/draftosaurus.md tells it; comments cite its rules.

/** The species, in the order of the rules. */
export const SPECIES = [
  "T_REX",
  "DIPLODOCUS",
  "TRICERATOPS",
  "SPINOSAURUS",
  "STEGOSAURUS",
  "PARASAUROLOPHUS",
] as const;
/** A kind of dinosaur. */
export type Species = (typeof SPECIES)[number];

/** A place in a zoo: the six pens of either board, and the river. */
export type Pen =
  | "FOREST_OF_SAMENESS"
  | "WOODY_TRIO"
  | "KING_OF_THE_JUNGLE"
  | "PRAIRIE_OF_LOVE"
  | "MEADOW_OF_DIFFERENCES"
  | "SOLITARY_ISLAND"
  | "WELL_ORDERED_WOOD"
  | "LOOKOUT"
  | "LOVERS_BRIDGE_LEFT"
  | "LOVERS_BRIDGE_RIGHT"
  | "PYRAMID"
  | "QUARANTINE"
  | "RIVER";

/** A face of the die: which pens a seat that did not roll may use. */
export type Face =
  | "WOODLANDS"
  | "GRASSLANDS"
  | "RESTROOMS"
  | "FOOD_COURT"
  | "EMPTY_PEN"
  | "NO_T_REX";

/** A side of the board. */
export type Board = "SUMMER" | "WINTER";

/** What is being decided; also the kind of a choice. */
export type Phase = "PICK" | "PLACE" | "REMOVE" | "MOVE" | "OVER";

/** The places of each board in order, the river last. */
export const PENS: Readonly<Record<Board, readonly Pen[]>> = {
  SUMMER: [
    "FOREST_OF_SAMENESS",
    "WOODY_TRIO",
    "KING_OF_THE_JUNGLE",
    "PRAIRIE_OF_LOVE",
    "MEADOW_OF_DIFFERENCES",
    "SOLITARY_ISLAND",
    "RIVER",
  ],
  WINTER: [
    "WELL_ORDERED_WOOD",
    "LOOKOUT",
    "LOVERS_BRIDGE_LEFT",
    "LOVERS_BRIDGE_RIGHT",
    "PYRAMID",
    "QUARANTINE",
    "RIVER",
  ],
};

/** The rule options of a match. */
export interface Rules {
  readonly quarantineMayStay: boolean; // A1
  readonly fivePlayerDieHold: boolean; // A2
  readonly prairieCapacity: number | null; // A3; null: any number
  readonly placeAfterReveal: boolean; // A4
}

export const ZOO_SIZE = 12; // D12
export const PYRAMID_SLOTS = 6;

interface Plot {
  readonly section: Face | null;
  readonly side: Face | null; // of the river
  readonly holds: number;
}

/** Of each pen: its section, its side of the river, and how many it holds. */
export const PLOTS: Readonly<Record<Pen, Plot>> = {
  FOREST_OF_SAMENESS: { section: "WOODLANDS", side: "FOOD_COURT", holds: 6 },
  WOODY_TRIO: { section: "WOODLANDS", side: "FOOD_COURT", holds: 3 },
  KING_OF_THE_JUNGLE: { section: "WOODLANDS", side: "RESTROOMS", holds: 1 },
  PRAIRIE_OF_LOVE: { section: "GRASSLANDS", side: "FOOD_COURT", holds: ZOO_SIZE },
  MEADOW_OF_DIFFERENCES: { section: "GRASSLANDS", side: "RESTROOMS", holds: 6 },
  SOLITARY_ISLAND: { section: "GRASSLANDS", side: "RESTROOMS", holds: 1 },
  WELL_ORDERED_WOOD: { section: "WOODLANDS", side: "FOOD_COURT", holds: 6 },
  LOOKOUT: { section: "WOODLANDS", side: "RESTROOMS", holds: 1 },
  LOVERS_BRIDGE_LEFT: { section: "WOODLANDS", side: "FOOD_COURT", holds: ZOO_SIZE },
  LOVERS_BRIDGE_RIGHT: { section: "GRASSLANDS", side: "RESTROOMS", holds: ZOO_SIZE }, // A6
  PYRAMID: { section: "GRASSLANDS", side: "RESTROOMS", holds: PYRAMID_SLOTS },
  QUARANTINE: { section: "GRASSLANDS", side: "FOOD_COURT", holds: 1 },
  RIVER: { section: null, side: null, holds: ZOO_SIZE }, // D18
};

// D21: the rows of the pyramid; D22: the slots that touch each slot.
export const PYRAMID_ROWS = [[0, 1, 2], [3, 4], [5]] as const;
export const PYRAMID_TOUCHES: readonly (readonly number[])[] = [
  [1, 3],
  [0, 2, 3, 4],
  [1, 4],
  [0, 1, 4, 5],
  [1, 2, 3, 5],
  [3, 4],
];

// Points by the number of dinosaurs in the pen.
export const ROW_POINTS = [0, 2, 4, 8, 12, 18, 24] as const; // forest and wood
export const MEADOW_POINTS = [0, 1, 3, 6, 10, 15, 21] as const;
export const PYRAMID_POINTS = [0, 2, 4, 6, 10, 14, 21] as const;
export const TRIO_POINTS = 7;
export const KING_POINTS = 7;
export const ISLAND_POINTS = 7;
export const PRAIRIE_COUPLE_POINTS = 5;
export const BRIDGE_COUPLE_POINTS = 6;
export const LOOKOUT_POINTS = 2;
