import { best } from "../best.js";
import type { Species } from "./material.js";
import type { Choice, View } from "./view.js";
import type { Placement } from "./zoo.js";

/**
 * The choice with the best immediate points, the first of equals. It is specified in
 * docs/sample-bots.md.
 */
export function greedy(view: View): Choice {
  const after = (place: Placement) => view.points(view.seat, view.zoo.plus(place));
  switch (view.phase) {
    case "REMOVE":
      return best(view.legal, (choice) => worthToNext(view, choice.species));
    case "MOVE":
      return bestMove(view);
    case "PICK":
      return picked(view, bestPlacement(view, after));
    default:
      return best(view.legal, (choice) => after(choice as Placement));
  }
}

/** The move of the dinosaur in quarantine with the most points. */
export function bestMove(view: View): Choice {
  return best(view.legal, (move) => view.points(view.seat, view.zoo.moved(move as Placement)));
}

/** The placement of a dinosaur of the hand, bound by the die, that is worth most. */
export function bestPlacement(view: View, worth: (place: Placement) => number): Placement {
  const die = view.binding(view.seat);
  return best(view.zoo.placements(view.board, view.hand, die, view.rules), worth);
}

/** The choice that picks the dinosaur of a placement. */
export function picked(view: View, place: Placement): Choice {
  return best(view.legal, (choice) => (choice.species === place.species ? 1 : 0));
}

/** The seat that gets this seat's hand. */
export function nextSeat(view: View): number {
  return (view.seat + 1) % view.seats;
}

function worthToNext(view: View, species: Species): number {
  const seat = nextSeat(view);
  const zoo = view.zoos[seat] ?? view.zoo;
  const places = zoo.placements(view.board, [species], null, view.rules);
  return Math.max(...places.map((place) => view.points(seat, zoo.plus(place))));
}
