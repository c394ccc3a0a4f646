import { type Ask, type Bot, dinoTwist, draftosaurus, runFromCommandLine } from "../index.js";

/** A bot that considers later turns and what it leaves to others. */
class CarefulBot implements Bot {
  readonly name = "careful";

  /** The choice that promises the most points in the end. */
  choose(ask: Ask) {
    if (ask.game === "draftosaurus") return draftosaurus.careful(ask.view);
    return dinoTwist.careful(ask.view);
  }
}

await runFromCommandLine(
  new CarefulBot(),
  "A bot that considers later turns and what it leaves to others.",
);
