import { type Ask, type Bot, runFromCommandLine } from "../index.js";

const LONG_MS = 3000;

/** A bot for the tests: with UNRULY=slow it thinks long where it may, with UNRULY=failing it fails. */
class UnrulyBot implements Bot {
  readonly name = "unruly";

  /** The first choice, after a while in which nothing else runs in this thread, or an error. */
  choose(ask: Ask) {
    if (process.env.UNRULY === "failing") throw new Error("no idea");
    if (ask.timeMs > LONG_MS) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS);
    }
    return 0;
  }
}

await runFromCommandLine(new UnrulyBot(), "A bot for the tests.");
