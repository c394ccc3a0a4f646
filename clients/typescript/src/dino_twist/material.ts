// The material of Dino Twist, as docs/rules/dino-twist.md tells it; comments cite its rules.

/** A kind of Dino. */
export type Species = "AQUA" | "KARNI" | "HERBI" | "VOLI";

/** The territories of every island, in the order of the rules, with the species that lives there. */
export const HOMES = {
  MOUNTAINS: "VOLI",
  CLIFF: "VOLI",
  JUNGLE: "KARNI",
  DESERT: "KARNI",
  RIVERSIDE: "HERBI",
  HILL: "HERBI",
  BEACH: "AQUA",
  SEA: "AQUA",
} as const satisfies Record<string, Species>;
/** A place on an island. */
export type Territory = keyof typeof HOMES;
export const TERRITORIES = Object.keys(HOMES) as readonly Territory[];

/** What an event card does. */
export type EventKind =
  | "METEOR"
  | "FURY"
  | "VOLCANO"
  | "NEVER_TWO_WITHOUT_THREE"
  | "ALONE"
  | "EARTHQUAKE"
  | "TORNADO"
  | "NEW_GENERATIONS"
  | "CARNAGE"
  | "HELP";

/** What is being decided. */
export type Phase = "DISCARD" | "PLAY" | "ATTACK" | "OVER";

/** What a choice is. */
export type Kind = "PLAY" | "BURY" | "ATTACK" | "DISCARD";

/** A Dino card. */
export interface Card {
  readonly species: Species;
  /** 2 to 10; a baby has 1. */
  readonly strength: number;
  readonly claw: boolean;
}

/** An event card; kind null: no event applies (B3). */
export interface Event {
  readonly kind: EventKind | null;
  /** Of a METEOR. */
  readonly territory: Territory | null;
  /** Of a FURY. */
  readonly species: Species | null;
}

/** Who lives where; empty territories are left out. */
export type Island = Readonly<Partial<Record<Territory, Card>>>;

/** The rule options of a match, and the version of the rules. */
export interface Rules {
  readonly version: number;
  readonly clawCopies: number;
  readonly clawStrengths: string;
  readonly quietFirstRound: boolean;
  readonly graveyardPerCard: boolean;
  readonly equalsInSeatOrder: boolean;
  readonly attackWithPlay: boolean;
  readonly fizzledReturns: boolean;
  readonly attackMayBeWaived: boolean;
  readonly mustSettle: boolean;
  readonly buryBySpecies: boolean; // version 1 only
  readonly buryByTerritory: boolean;
  readonly babiesReshuffled: boolean;
  readonly othersDrawLast: boolean;
  readonly discardInTurn: boolean;
  readonly islandBonusTies: string;
  readonly smallSeats: string;
}

/** The newest version of the rules that is known here. */
export const RULES_VERSION = 2;

/** The format in which every island is small (T17). */
export const SMALL = "dino-twist-small";

/** How much more a play of the species counts under an event. */
export function bonusOf(event: Event, species: Species): number {
  if (event.kind === "CARNAGE") return 2;
  return event.kind === "FURY" && event.species === species ? 3 : 0;
}

/** A card as text, such as KARNI-5-CLAW. */
export function cardName(card: Card): string {
  return `${card.species}-${card.strength}${card.claw ? "-CLAW" : ""}`;
}

/** The strength of a card; 0 where there is none. */
export function strengthOf(card: Card | undefined): number {
  return card?.strength ?? 0;
}

/** 1 for a card with a claw, else 0. */
export function clawOf(card: Card | undefined): number {
  return card?.claw ? 1 : 0;
}
