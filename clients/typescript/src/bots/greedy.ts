import { type Ask, type Bot, dinoTwist, draftosaurus, runFromCommandLine } from "../index.js";

/** A bot that takes the best immediate points. */
class GreedyBot implements Bot {
  readonly name = "greedy";

  /** The choice after which this seat would have the most points. */
  choose(ask: Ask) {
    if (ask.game === "draftosaurus") return draftosaurus.greedy(ask.view);
    return dinoTwist.greedy(ask.view);
  }
}

await runFromCommandLine(new GreedyBot(), "A bot that takes the best immediate points.");
