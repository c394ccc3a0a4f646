import type { Board, Face, Pen, Phase, Rules, Species } from "./material.js";
import { type Score, scoreOf, totalOf } from "./scoring.js";
import type { Zoo } from "./zoo.js";

/**
 * One decision: PLACE a dinosaur in a pen, PICK one, REMOVE one, or MOVE the one in quarantine (to
 * QUARANTINE itself: it stays). PICK and REMOVE name no pen.
 */
export class Choice {
  constructor(
    /** Its number in the list of legal choices; -1 where it is in none. */
    readonly number: number,
    readonly kind: Exclude<Phase, "OVER">,
    readonly species: Species,
    readonly pen: Pen | null,
    /** 0 everywhere but in the pyramid. */
    readonly slot: number,
  ) {}

  toString(): string {
    if (this.pen === null) return `${this.kind} ${this.species}`;
    const slot = this.pen === "PYRAMID" ? ` slot ${this.slot}` : "";
    return `${this.kind} ${this.species} in ${this.pen}${slot}`;
  }
}

/** What a view is made of. */
export interface Known {
  /** This bot's seat. */
  readonly seat: number;
  /** This seat's own hand, in the order of the species. */
  readonly hand: readonly Species[];
  /** What this seat may choose, in a fixed order; never empty. */
  readonly legal: readonly Choice[];
  /** Everybody's zoos, by seat. */
  readonly zoos: readonly Zoo[];
  /** What is being decided. */
  readonly phase: Phase;
  /** The side of the board that is played on. */
  readonly board: Board;
  /** What the die shows; null: none was rolled. */
  readonly die: Face | null;
  /** The seat that holds the die. */
  readonly roller: number;
  /** Which game of the match this is, from 0: a series has two. */
  readonly gameNumber: number;
  /** Which round of the game this is, from 0. */
  readonly round: number;
  /** Which turn of the round this is, from 0. */
  readonly turn: number;
  /** Turns of the match that are over; a game has 12. */
  readonly turnsDone: number;
  /** What everybody picked, by seat, between reveal and placing (A4). */
  readonly picks: readonly Species[];
  /** What was removed from this game; two players only (D14). */
  readonly removed: readonly Species[];
  /** The zoos of the games that are over, by game and by seat. */
  readonly finished: readonly (readonly Zoo[])[];
  /** The rule options of the match. */
  readonly rules: Rules;
  /** The format that is played. */
  readonly format: string;
}

export interface View extends Known {}

/** What one seat knows of a match of Draftosaurus: the open table and its own hand. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns all of it
export class View {
  readonly game = "draftosaurus" as const;

  constructor(known: Known) {
    Object.assign(this, known);
  }

  /** This seat's own zoo. */
  get zoo(): Zoo {
    return this.zoos[this.seat] as Zoo;
  }

  /** How many play. */
  get seats(): number {
    return this.zoos.length;
  }

  /** What the referee would choose: the first choice into the river, or the first of all. */
  get default(): Choice {
    return this.legal.find((choice) => choice.pen === "RIVER") ?? (this.legal[0] as Choice);
  }

  /** The legal choices that name a pen, by that pen. */
  get legalByPen(): ReadonlyMap<Pen, readonly Choice[]> {
    const byPen = new Map<Pen, Choice[]>();
    for (const choice of this.legal) {
      if (choice.pen === null) continue;
      const same = byPen.get(choice.pen);
      if (same) same.push(choice);
      else byPen.set(choice.pen, [choice]);
    }
    return byPen;
  }

  /** Everybody's points as the table stands, by seat. */
  get scores(): readonly Score[] {
    return this.zoos.map((zoo, seat) => scoreOf(this, seat, zoo));
  }

  /** The points of a seat if its zoo were this one and the others as they are. */
  points(seat: number, zoo: Zoo): number {
    return totalOf(this, seat, zoo);
  }

  /** The face of the die that binds a seat; null for the roller (D8), unless it was held (A2). */
  binding(seat: number): Face | null {
    const held = this.rules.fivePlayerDieHold && this.seats === 5 && this.turn === 5;
    return seat === this.roller && !held ? null : this.die;
  }
}
