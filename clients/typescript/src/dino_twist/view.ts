import {
  bonusOf,
  type Card,
  cardName,
  clawOf,
  type Event,
  HOMES,
  type Island,
  type Kind,
  type Phase,
  type Rules,
  SMALL,
  type Species,
  strengthOf,
  TERRITORIES,
  type Territory,
} from "./material.js";

/** One decision. Which parts it has depends on its kind. */
export class Choice {
  constructor(
    /** Its number in the list of legal choices; -1 where it is in none. */
    readonly number: number,
    readonly kind: Kind,
    /** The cards that are played, buried or discarded. */
    readonly cards: readonly Card[],
    /** What a PLAY attacks. */
    readonly species: Species | null,
    /** What an ATTACK attacks; a PLAY names one only with attackWithPlay. */
    readonly territory: Territory | null,
    /** Where the beaten Dino settles; null: it is discarded. */
    readonly settle: Territory | null,
    /** How many cards another seat discarded. */
    readonly faceDown: number,
  ) {}

  toString(): string {
    if (this.kind === "ATTACK") {
      if (this.territory === null) return "ATTACK nothing";
      const settled = this.settle ? `settle in ${this.settle}` : "discard what is beaten";
      return `ATTACK ${this.territory} and ${settled}`;
    }
    const words: string[] = [this.kind, ...this.cards.map(cardName)];
    if (new Set(this.cards.map((card) => card.species)).size > 1 && this.species) {
      words.push(`as ${this.species}`);
    }
    if (this.territory) words.push(`at ${this.territory}`);
    if (this.faceDown) words.push(`${this.faceDown} face down`);
    return words.length > 1 ? words.join(" ") : `${this.kind} nothing`;
  }
}

/** What a view is made of. */
export interface Known {
  /** This bot's seat. */
  readonly seat: number;
  /** This seat's own hand, by species, then strength, claws first. */
  readonly hand: readonly Card[];
  /** What this seat may choose, in a fixed order; never empty. */
  readonly legal: readonly Choice[];
  /** What is being decided. */
  readonly phase: Phase;
  /** Which round of the game this is, from 0. */
  readonly round: number;
  /** The event that applies. */
  readonly event: Event;
  /** All events that have shown, the one that shows included. */
  readonly events: readonly Event[];
  /** The seats that decide now. */
  readonly asked: readonly number[];
  /** Twist Island. */
  readonly twist: Island;
  /** Everybody's islands, by seat. */
  readonly islands: readonly Island[];
  /** Everybody's graveyards, by seat: entries of one card or more. */
  readonly graveyards: readonly (readonly (readonly Card[])[])[];
  /** The bonuses for filled islands, by seat (T15). */
  readonly islandBonuses: readonly number[];
  /** What lies face up on the discard pile. */
  readonly discards: readonly Card[];
  /** What this seat laid face down on the discard pile. */
  readonly discarded: readonly Card[];
  /** How many cards each seat laid face down, by seat. */
  readonly faceDown: readonly number[];
  /** How many cards everybody holds, by seat. */
  readonly handSizes: readonly number[];
  /** How many cards are left to draw before the discard pile is shuffled. */
  readonly pileSize: number;
  /** What was revealed this round, by seat; undefined: nothing. */
  readonly plays: readonly (Choice | undefined)[];
  /** The seats still to act, those of equal strength together. */
  readonly waiting: readonly (readonly number[])[];
  /** The rule options of the match. */
  readonly rules: Rules;
  /** The format that is played. */
  readonly format: string;
}

/** The points of one seat. */
export interface Score {
  readonly total: number;
  /** ISLAND, GRAVEYARD, ISLAND_BONUS and CLAW_BONUS. */
  readonly parts: Readonly<Record<string, number>>;
  /** Cards with a claw on the island. */
  readonly claws: number;
}

/** One way to attack: the territory, and where the beaten Dino settles; null: nowhere. */
export interface Way {
  readonly territory: Territory;
  readonly settle: Territory | null;
}

export interface View extends Known {}

/** What one seat knows of a match of Dino Twist: the open table and its own cards. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns all of it
export class View {
  readonly game = "dino_twist" as const;

  constructor(known: Known) {
    Object.assign(this, known);
  }

  /** This seat's own island. */
  get island(): Island {
    return this.islands[this.seat] as Island;
  }

  /** This seat's own graveyard: entries of one card or more. */
  get graveyard(): readonly (readonly Card[])[] {
    return this.graveyards[this.seat] ?? [];
  }

  /** How many play. */
  get seats(): number {
    return this.islands.length;
  }

  /** What the referee would choose: the first. */
  get default(): Choice {
    return this.legal[0] as Choice;
  }

  /** The legal choices by what they are. */
  get legalByKind(): ReadonlyMap<Kind, readonly Choice[]> {
    const byKind = new Map<Kind, Choice[]>();
    for (const choice of this.legal) {
      const same = byKind.get(choice.kind);
      if (same) same.push(choice);
      else byKind.set(choice.kind, [choice]);
    }
    return byKind;
  }

  /** Whether a seat has a Small T-Rex island (T17). */
  hasSmallIsland(seat: number): boolean {
    return this.format === SMALL || this.rules.smallSeats.includes(String(seat));
  }

  /** Everybody's points as the table stands, by seat (T14-T16). */
  get scores(): readonly Score[] {
    const claws = this.islands.map((island) => sum(Object.values(island).map(clawOf)));
    const most = Math.max(1, ...claws); // nobody gets the bonus without a claw
    return this.islands.map((island, seat) => {
      const entries = this.graveyards[seat] ?? [];
      const buried = this.rules.graveyardPerCard ? entries.flat().length : entries.length; // B4
      const mine = claws[seat] ?? 0;
      const parts = {
        ISLAND: sum(Object.values(island).map(strengthOf)),
        GRAVEYARD: 2 * buried,
        ISLAND_BONUS: this.islandBonuses[seat] ?? 0,
        CLAW_BONUS: mine === most ? 7 : 0,
      };
      return { total: sum(Object.values(parts)), parts, claws: mine };
    });
  }

  /** The ways of this seat to attack with a play, as the table stands (T10, T11). */
  ways(play: Choice): Way[] {
    if (play.species === null) return [];
    const total = sum(play.cards.map(strengthOf)) + bonusOf(this.event, play.species);
    const ways: Way[] = [];
    for (const territory of TERRITORIES) {
      const struck = this.event.kind === "METEOR" && this.event.territory === territory;
      const named = !this.rules.attackWithPlay || play.territory === territory; // B6
      const weaker = strengthOf(this.twist[territory]) < total;
      if (HOMES[territory] !== play.species || struck || !named || !weaker) continue;
      const homes = this.#homes(territory);
      ways.push(...homes.map((settle) => ({ territory, settle })));
      const full = homes.every((home) => this.island[home]);
      if (!this.rules.mustSettle && (full || this.rules.version === 1)) {
        ways.push({ territory, settle: null }); // B8
      }
    }
    return ways;
  }

  /** Where a Dino beaten on the territory may settle on this seat's island. */
  #homes(territory: Territory): readonly Territory[] {
    if (this.hasSmallIsland(this.seat)) return TERRITORIES;
    if (this.event.kind !== "EARTHQUAKE") return [territory];
    return TERRITORIES.filter((home) => HOMES[home] === HOMES[territory]);
  }
}

/** All numbers together. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
