import { best } from "../best.js";
import { bestMove, bestPlacement, nextSeat, picked } from "./greedy.js";
import { type Pen, SPECIES, type Species, ZOO_SIZE } from "./material.js";
import { PROMISES, type Promises } from "./promises.js";
import { mostOfOthers } from "./scoring.js";
import type { Choice, View } from "./view.js";
import { type Counts, counted, type Inside, type Placement, type Zoo } from "./zoo.js";

/**
 * The choice with the most points expected in the end, the first of equals: it looks at what pens
 * promise and at what is passed on. It is specified in docs/sample-bots.md.
 */
export function careful(view: View): Choice {
  if (view.phase === "MOVE") return bestMove(view);
  const cost = passing(view);
  if (view.phase === "REMOVE") return best(view.legal, (choice) => -cost(choice.species));
  const mine = new Prospect(view, view.seat, turnsLeft(view));
  if (view.picks.length > 0) return best(view.legal, (place) => mine.after(place as Placement));
  const worth = (place: Placement) => 10 * mine.after(place) - cost(place.species);
  if (view.phase === "PICK") return picked(view, bestPlacement(view, worth));
  return best(view.legal, (choice) => worth(choice as Placement));
}

/** How many turns of this game come after this one. */
function turnsLeft(view: View): number {
  return ZOO_SIZE - 1 - (view.turnsDone % ZOO_SIZE);
}

/** What it costs to pass on the hand without one dinosaur of a species. */
function passing(view: View): (species: Species) => number {
  const two = view.seats === 2;
  const removing = view.phase === "REMOVE";
  const skipped = two && !removing ? 1 : 0; // D14: the best one will be taken out
  if (view.hand.length <= 1 + skipped || view.picks.length > 0) return () => 0;
  const gains = gainsOfNext(view, turnsLeft(view) - (removing ? 1 : 0));
  const costs = new Map<Species, number>();
  return (species) => {
    let cost = costs.get(species);
    if (cost === undefined) {
      const rest = view.hand.toSpliced(view.hand.indexOf(species), 1);
      const listed = rest.map((other) => gains.get(other) ?? 0).sort((a, b) => b - a);
      cost = (two ? 5 : 2) * (listed[skipped] ?? 0);
      costs.set(species, cost);
    }
    return cost;
  };
}

/** What a dinosaur of each species of the hand would bring the next seat. */
function gainsOfNext(view: View, turns: number): Map<Species, number> {
  const theirs = new Prospect(view, nextSeat(view), turns);
  const now = theirs.worth(theirs.zoo);
  const gains = new Map<Species, number>();
  for (const species of new Set(view.hand)) {
    const places = theirs.zoo.placements(view.board, [species], null, view.rules);
    gains.set(species, Math.max(...places.map((place) => theirs.after(place))) - now);
  }
  return gains;
}

const IN_THE_BAG: Readonly<Record<number, number>> = { 2: 8, 3: 6, 4: 8, 5: 10 }; // D3, of each

/** What a seat's zoo is worth, in parts of which 1210 * whole are one point. */
class Prospect {
  readonly zoo: Zoo;
  readonly #whole: number;
  readonly #plenty: Counts;
  readonly #promises: Promises;

  constructor(
    readonly view: View,
    readonly seat: number,
    readonly turns: number,
  ) {
    this.zoo = view.zoos[seat] ?? view.zoo;
    const gone = counted(view.removed);
    const left = { ...gone };
    let whole = 0;
    for (const species of SPECIES) {
      const placed = view.zoos.reduce((sum, zoo) => sum + zoo.counts[species], 0);
      left[species] = (IN_THE_BAG[view.seats] ?? 0) - placed - gone[species];
      whole += left[species];
    }
    this.#whole = Math.max(1, whole);
    for (const species of SPECIES) left[species] = 6 * left[species] - this.#whole;
    this.#plenty = left;
    this.#promises = PROMISES[view.board][view.seats === 2 ? "two" : "more"];
  }

  /** The worth of the zoo after a placement. */
  after(place: Placement): number {
    return this.worth(this.zoo.plus(place));
  }

  /** The points of a zoo, the dinosaur in quarantine at its best, and what its pens promise. */
  worth(zoo: Zoo): number {
    let worth = 1210 * this.#whole * this.#points(zoo);
    const turns = this.turns;
    for (const [pen, { states, plenty }] of Object.entries(this.#promises)) {
      const [state, wanted] = this.#state(zoo, pen as Pen);
      const [a, b] = states[state] ?? [0, 0];
      worth += this.#whole * turns * (11 * a + turns * b);
      worth += wanted * turns * (11 * plenty[0] + turns * plenty[1]);
    }
    return worth;
  }

  #points(zoo: Zoo): number {
    const { view, seat } = this;
    const [waiting] = zoo.pen("QUARANTINE");
    if (!waiting) return view.points(seat, zoo);
    const places = zoo
      .placements(view.board, [waiting], null, view.rules)
      .filter((place) => place.pen !== "QUARANTINE");
    return Math.max(...places.map((place) => view.points(seat, zoo.plus(place))));
  }

  /** The state that a pen is in, and the plenty of what it wants. */
  #state(zoo: Zoo, pen: Pen): [state: number, plenty: number] {
    const inside = zoo.pen(pen);
    const size = inside.length;
    const [first] = inside;
    switch (pen) {
      case "FOREST_OF_SAMENESS":
        return [size, size < 6 ? this.#sum(inside.slice(0, 1)) : 0];
      case "WOODY_TRIO":
      case "PYRAMID":
        return [zoo.size(pen), 0];
      case "KING_OF_THE_JUNGLE": {
        if (!first) return [0, 0];
        const ahead = zoo.counts[first] - mostOfOthers(this.view, this.seat, first);
        return [3 + Math.max(-2, Math.min(3, ahead)), this.#plenty[first]];
      }
      case "PRAIRIE_OF_LOVE": {
        const here = counted(inside);
        return this.#apart(4, (species) => here[species] % 2 === 1);
      }
      case "MEADOW_OF_DIFFERENCES":
        return [size, -this.#sum(inside)];
      case "SOLITARY_ISLAND":
        if (!first) return [0, 0];
        return zoo.counts[first] > 1 ? [2, 0] : [1, this.#plenty[first]];
      case "LOVERS_BRIDGE_LEFT": {
        const [left, right] = [counted(inside), counted(zoo.pen("LOVERS_BRIDGE_RIGHT"))];
        return this.#apart(5, (species) => left[species] !== right[species]);
      }
      default: // the wood and the lookout
        return [size, this.#sum(inside.slice(-2))];
    }
  }

  #sum(inside: Inside): number {
    return inside.reduce((sum, species) => sum + (species ? this.#plenty[species] : 0), 0);
  }

  /** How many species wait for a partner, at most `most`, and their plenty. */
  #apart(most: number, waits: (species: Species) => boolean): [state: number, plenty: number] {
    const waiting = SPECIES.filter(waits);
    return [Math.min(most, waiting.length), this.#sum(waiting)];
  }
}
