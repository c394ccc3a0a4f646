// A bot in TypeScript. `choose` is called for every decision; put your strategy there.
import { type Ask, type Bot, runFromCommandLine } from "paddock";

class Mine implements Bot {
  readonly name = "@NAME@";

  // One of `ask.legal`, or its number; `ask.view` is what this seat knows.
  choose(ask: Ask) {
    return ask.below(ask.legal.length);
  }
}

await runFromCommandLine(new Mine(), "A bot that plays any legal choice.");
