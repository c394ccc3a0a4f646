import { best } from "../best.js";
import { type Card, clawOf, strengthOf, TERRITORIES, type Territory } from "./material.js";
import { type Choice, sum, type View } from "./view.js";

/**
 * The choice with the best immediate points, the first of equals. It is specified in
 * docs/sample-bots.md.
 */
export function greedy(view: View): Choice {
  return best(view.legal, (choice) => {
    switch (choice.kind) {
      case "PLAY": {
        const ways = view.ways(choice).map((way) => won(view, way.territory, way.settle));
        return ways.length ? Math.max(...ways) : 0;
      }
      case "BURY":
        return 2 * buried(view, choice);
      case "ATTACK":
        return won(view, choice.territory, choice.settle);
      default:
        return 0;
    }
  });
}

/** The strength that the own island wins where the Dino beaten on a territory settles. */
function won(view: View, territory: Territory | null, settle: Territory | null): number {
  if (territory === null || settle === null) return 0;
  return strengthOf(view.twist[territory]) - strengthOf(view.island[settle]);
}

/** How many entries a burial counts for (B4). */
function buried(view: View, bury: Choice): number {
  return view.rules.graveyardPerCard ? bury.cards.length : 1;
}

const POINT = 2520; // parts, which 1 to 10 divide
const EVENTS = 10; // that show in a game

/**
 * The choice with the most points expected in the end, the first of equals: it looks at bonuses, at
 * what it leaves to others, and at its hand. It is specified in docs/sample-bots.md.
 */
export function careful(view: View): Choice {
  const rounds = EVENTS - view.events.length; // after this one
  const fill = filling(view, rounds);
  const spent = (choice: Choice) =>
    (POINT / 10) * Math.min(2, rounds) * sum(choice.cards.map((card) => card.strength - 6));

  const wayWorth = (play: Choice, territory: Territory, settle: Territory | null) => {
    const beaten = view.twist[territory];
    const lost = strengthOf(staying(play)) - strengthOf(beaten);
    const worth = (-POINT / 30) * rounds * lost;
    if (settle === null) return worth;
    const there = view.island[settle];
    const claws = 2 * POINT * (clawOf(beaten) - clawOf(there));
    return worth + POINT * won(view, territory, settle) + claws + (there ? 0 : fill);
  };

  return best(view.legal, (choice) => {
    switch (choice.kind) {
      case "PLAY": {
        const ways = view.ways(choice).map((way) => wayWorth(choice, way.territory, way.settle));
        return (ways.length ? Math.max(...ways) : 0) - spent(choice);
      }
      case "BURY":
        return 2 * POINT * buried(view, choice) - spent(choice);
      case "ATTACK": {
        const play = view.plays[view.seat];
        return choice.territory && play ? wayWorth(play, choice.territory, choice.settle) : 0;
      }
      default:
        return sum(choice.cards.map((card) => 4 - card.strength));
    }
  });
}

/** What filling a territory brings towards the island bonus (T15). */
function filling(view: View, rounds: number): number {
  const gaps = TERRITORIES.filter((territory) => !view.island[territory]).length;
  const bonus = [10, 5, 3].find((each) => !view.islandBonuses.includes(each)) ?? 0;
  return gaps > rounds + 1 ? 0 : Math.floor((bonus * POINT) / (gaps + 1));
}

/** The card of a play that stays: the weakest of the species that attacks, best without a claw. */
function staying(play: Choice): Card | undefined {
  const mine = play.cards.filter((card) => card.species === play.species);
  return mine.length ? best(mine, (card) => -2 * card.strength - clawOf(card)) : undefined;
}
