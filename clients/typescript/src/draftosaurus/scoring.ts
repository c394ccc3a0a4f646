import {
  BRIDGE_COUPLE_POINTS,
  ISLAND_POINTS,
  KING_POINTS,
  LOOKOUT_POINTS,
  MEADOW_POINTS,
  PENS,
  type Pen,
  PRAIRIE_COUPLE_POINTS,
  PYRAMID_POINTS,
  ROW_POINTS,
  SPECIES,
  type Species,
  TRIO_POINTS,
} from "./material.js";
import type { View } from "./view.js";
import { counted, type Zoo } from "./zoo.js";

/** The points of one zoo. */
export interface Score {
  readonly total: number;
  /** By pen, LOVERS_BRIDGE for both banks, RIVER and T_REX_BONUS. */
  readonly parts: Readonly<Record<string, number>>;
  /** They decide ties (D24). */
  readonly tRexes: number;
}

/** The points of a seat, part by part, if its zoo were this one. */
export function scoreOf(view: View, seat: number, zoo: Zoo): Score {
  const parts: Record<string, number> = {};
  for (const pen of PENS[view.board]) {
    if (pen === "LOVERS_BRIDGE_RIGHT" || pen === "QUARANTINE") continue;
    const part = pen === "LOVERS_BRIDGE_LEFT" ? "LOVERS_BRIDGE" : pen;
    parts[part] = pointsOf(view, seat, zoo, pen);
  }
  parts.T_REX_BONUS = bonusOf(view, zoo);
  const total = Object.values(parts).reduce((sum, points) => sum + points, 0);
  return { total, parts, tRexes: zoo.counts.T_REX };
}

/** All points of a seat if its zoo were this one. */
export function totalOf(view: View, seat: number, zoo: Zoo): number {
  let total = bonusOf(view, zoo);
  for (const pen of PENS[view.board]) total += pointsOf(view, seat, zoo, pen);
  return total;
}

/** The most of a species that another seat has. */
export function mostOfOthers(view: View, seat: number, species: Species): number {
  return Math.max(...view.zoos.map((zoo, other) => (other === seat ? 0 : zoo.counts[species])));
}

/** D23, A1: a point for every pen with a T-Rex; the river is not a pen. */
function bonusOf(view: View, zoo: Zoo): number {
  let bonus = 0;
  for (const pen of PENS[view.board]) {
    const pays = pen !== "RIVER" && (pen !== "QUARANTINE" || view.rules.quarantineMayStay);
    if (pays && zoo.pen(pen).includes("T_REX")) bonus++;
  }
  return bonus;
}

function pointsOf(view: View, seat: number, zoo: Zoo, pen: Pen): number {
  const inside = zoo.pen(pen);
  const first = inside[0];
  if (pen === "PYRAMID") return PYRAMID_POINTS[zoo.size(pen)] ?? 0;
  if (first === undefined || first === null) return 0;
  switch (pen) {
    case "FOREST_OF_SAMENESS":
    case "WELL_ORDERED_WOOD":
      return ROW_POINTS[inside.length] ?? 0;
    case "WOODY_TRIO":
      return inside.length === 3 ? TRIO_POINTS : 0;
    case "KING_OF_THE_JUNGLE":
      return zoo.counts[first] >= mostOfOthers(view, seat, first) ? KING_POINTS : 0;
    case "PRAIRIE_OF_LOVE": {
      const here = counted(inside);
      const couples = SPECIES.reduce((sum, species) => sum + Math.floor(here[species] / 2), 0);
      return PRAIRIE_COUPLE_POINTS * couples;
    }
    case "MEADOW_OF_DIFFERENCES":
      return MEADOW_POINTS[inside.length] ?? 0;
    case "SOLITARY_ISLAND":
      return zoo.counts[first] === 1 ? ISLAND_POINTS : 0;
    case "LOOKOUT": {
      const right = view.zoos.at(seat - 1); // D5
      return LOOKOUT_POINTS * (right?.counts[first] ?? 0);
    }
    case "LOVERS_BRIDGE_LEFT": {
      const [left, right] = [counted(inside), counted(zoo.pen("LOVERS_BRIDGE_RIGHT"))]; // D20
      const couples = SPECIES.reduce((sum, each) => sum + Math.min(left[each], right[each]), 0);
      return BRIDGE_COUPLE_POINTS * couples;
    }
    case "RIVER":
      return inside.length;
    default:
      return 0;
  }
}
