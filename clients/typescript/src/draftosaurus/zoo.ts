import {
  type Board,
  type Face,
  PENS,
  type Pen,
  PLOTS,
  PYRAMID_ROWS,
  PYRAMID_SLOTS,
  PYRAMID_TOUCHES,
  type Rules,
  SPECIES,
  type Species,
} from "./material.js";

/** A dinosaur, a pen and a slot; the slot is 0 everywhere but in the pyramid. */
export interface Placement {
  readonly species: Species;
  readonly pen: Pen;
  readonly slot: number;
}

/** How many there are of each species. */
export type Counts = Readonly<Record<Species, number>>;

/**
 * Who stands in a pen: in the pyramid by slot, null where it is free; in the well-ordered wood from
 * left to right; elsewhere in the order of the species.
 */
export type Inside = readonly (Species | null)[];

const NOBODY: Inside = [];

/** A zoo: who stands where. It never changes. */
export class Zoo {
  #counts: Counts | undefined;

  /** Pens with nobody in them are left out. */
  constructor(readonly pens: Readonly<Partial<Record<Pen, Inside>>>) {}

  /** Who stands in a pen. */
  pen(pen: Pen): Inside {
    return this.pens[pen] ?? NOBODY;
  }

  /** How many of each species are in the zoo, the river included (D19). */
  get counts(): Counts {
    this.#counts ??= counted(Object.values(this.pens).flat());
    return this.#counts;
  }

  /** How many stand in a pen. */
  size(pen: Pen): number {
    return this.pen(pen).filter((species) => species !== null).length;
  }

  /** The zoo after a placement that the pen allows. */
  plus({ species, pen, slot }: Placement): Zoo {
    const inside = this.pen(pen);
    let after: Inside;
    if (pen === "PYRAMID") {
      const slots = inside.length ? [...inside] : new Array<null>(PYRAMID_SLOTS).fill(null);
      after = slots.with(slot, species);
    } else if (pen === "WELL_ORDERED_WOOD") {
      after = [...inside, species];
    } else {
      after = [...inside, species].sort(bySpecies);
    }
    return new Zoo({ ...this.pens, [pen]: after });
  }

  /** The zoo after the dinosaur in quarantine moved (D25); to QUARANTINE: it stays. */
  moved(move: Placement): Zoo {
    if (move.pen === "QUARANTINE") return this;
    const { QUARANTINE: _, ...pens } = this.plus(move).pens;
    return new Zoo(pens);
  }

  /** Whether the pen's own rules let the dinosaur in. */
  takes({ species, pen, slot }: Placement, rules: Rules): boolean {
    if (pen === "PYRAMID") return this.#pyramidTakes(species, slot);
    const inside = this.pen(pen);
    const capacity = pen === "PRAIRIE_OF_LOVE" ? rules.prairieCapacity : null; // A3
    if (slot !== 0 || inside.length >= (capacity ?? PLOTS[pen].holds)) return false;
    if (pen === "FOREST_OF_SAMENESS") return inside.length === 0 || inside[0] === species;
    if (pen === "MEADOW_OF_DIFFERENCES") return !inside.includes(species);
    if (pen === "WELL_ORDERED_WOOD") {
      return inside.length < 2 ? !inside.includes(species) : inside.at(-2) === species;
    }
    return true;
  }

  #pyramidTakes(species: Species, slot: number): boolean {
    const inside = this.pen("PYRAMID");
    const isFree = (place: number) => (inside[place] ?? null) === null;
    const row = PYRAMID_ROWS.find((each) => each.some(isFree)); // D21: the lowest that is not full
    if (!row?.some((place) => place === slot) || !isFree(slot)) return false;
    return !PYRAMID_TOUCHES[slot]?.some((other) => inside[other] === species);
  }

  /** Whether the face of the die lets a seat that it binds use the pen; null: no die binds. */
  allows(pen: Pen, die: Face | null): boolean {
    if (pen === "RIVER" || die === null) return true;
    if (die === "EMPTY_PEN") return this.size(pen) === 0;
    if (die === "NO_T_REX") return !this.pen(pen).includes("T_REX");
    return PLOTS[pen].section === die || PLOTS[pen].side === die;
  }

  /**
   * Where dinosaurs of these species may go: pen by pen, the river last, within a pen by slot, then
   * by species. With null for the die only the pens' own rules count.
   */
  placements(
    board: Board,
    species: readonly Species[],
    die: Face | null,
    rules: Rules,
  ): Placement[] {
    const each = SPECIES.filter((one) => species.includes(one));
    const places: Placement[] = [];
    for (const pen of PENS[board]) {
      if (!this.allows(pen, die)) continue;
      for (let slot = 0; slot < (pen === "PYRAMID" ? PYRAMID_SLOTS : 1); slot++) {
        for (const one of each) {
          const place = { species: one, pen, slot };
          if (this.takes(place, rules)) places.push(place);
        }
      }
    }
    return places;
  }
}

/** How many there are of each species in a list. */
export function counted(inside: Inside): Record<Species, number> {
  const counts: Record<Species, number> = {
    T_REX: 0,
    DIPLODOCUS: 0,
    TRICERATOPS: 0,
    SPINOSAURUS: 0,
    STEGOSAURUS: 0,
    PARASAUROLOPHUS: 0,
  };
  for (const species of inside) if (species !== null) counts[species]++;
  return counts;
}

function bySpecies(one: Species | null, other: Species | null): number {
  return SPECIES.indexOf(one as Species) - SPECIES.indexOf(other as Species);
}
