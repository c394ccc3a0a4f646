import { type Ask, type Bot, runFromCommandLine } from "../index.js";

/** A bot that plays any legal choice. */
class RandomBot implements Bot {
  readonly name = "random";

  /** Any of the legal choices, each equally likely. */
  choose(ask: Ask) {
    return ask.legal[ask.below(ask.legal.length)];
  }
}

await runFromCommandLine(new RandomBot(), "A bot that plays any legal choice.");
