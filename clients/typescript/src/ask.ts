import type { Dice } from "./dice.js";
import type * as dinoTwist from "./dino_twist/index.js";
import { readView as readDinoTwist } from "./dino_twist/reading.js";
import type * as draftosaurus from "./draftosaurus/index.js";
import { readView as readDraftosaurus } from "./draftosaurus/reading.js";
import type { Match } from "./match.js";
import { Unreadable } from "./reading.js";
import type * as wire from "./wire/paddock/v1/arena.js";

/** The formats whose views this SDK can read. */
export const FORMATS = [
  "summer",
  "winter",
  "two-player",
  "two-player-winter",
  "series",
  "two-player-series",
  "dino-twist",
  "dino-twist-small",
] as const;

/** A decision of a game that the referee wants from a bot. */
export class AskOf<View extends draftosaurus.View | dinoTwist.View> {
  constructor(
    readonly id: bigint,
    /** Which game this is: where it is told apart, `view` and `legal` have their types. */
    readonly game: View["game"],
    readonly match: Match,
    /** What this seat knows. */
    readonly view: View,
    /** What this seat may choose; never empty. */
    readonly legal: View["legal"],
    /** The time for this decision before the bank is used. */
    readonly timeMs: number,
    /** What is left in the bank. */
    readonly bankMs: number,
    readonly dice: Dice,
  ) {}

  /** The choice of the referee for a bot that does not answer. */
  get default(): View["legal"][number] {
    return this.view.default;
  }

  /** A random number from 0 to n - 1, the same in every language; `rng` is this SDK's own. */
  below(n: number): number {
    return this.dice.below(n);
  }

  /** Like Math.random, for this decision; with it `paddock compare` needs fewer matches. */
  get rng(): () => number {
    return this.dice.rng;
  }
}

/** A decision that the referee wants from a bot; `game` tells which game it is of. */
export type Ask = AskOf<draftosaurus.View> | AskOf<dinoTwist.View>;

/** The ask in a message; throws Unreadable for values that are unknown here. */
export function readAsk(sent: wire.Ask, match: Match, dice: Dice): Ask {
  if (sent.choices.length === 0) throw new Unreadable("an ask without a single legal choice");
  const game = sent.view?.game;
  if (match.game === "draftosaurus" && game?.$case === "draftosaurus") {
    const view = readDraftosaurus(sent, game.value, match.rules, match.format);
    return made(sent, match, view, dice);
  }
  if (match.game === "dino_twist" && game?.$case === "dinoTwist") {
    return made(sent, match, readDinoTwist(sent, game.value, match.rules, match.format), dice);
  }
  throw new Unreadable("a view of another game");
}

function made<View extends draftosaurus.View | dinoTwist.View>(
  { askId, timeMs, bankMs }: wire.Ask,
  match: Match,
  view: View,
  dice: Dice,
): AskOf<View> {
  return new AskOf<View>(askId, view.game, match, view, view.legal, timeMs, bankMs, dice);
}
