/**
 * The TypeScript SDK of Paddock: a bot says what to choose, and the SDK does the rest.
 *
 *     import { run } from "paddock";
 *
 *     await run({ name: "mine", choose: (ask) => ask.legal[0] });
 */

export { type Ask, AskOf, FORMATS, readAsk } from "./ask.js";
export type { Bot } from "./bot.js";
export { runFromCommandLine } from "./command_line.js";
export { Dice, matchSeed } from "./dice.js";
export * as dinoTwist from "./dino_twist/index.js";
export * as draftosaurus from "./draftosaurus/index.js";
export { BadSettings, PaddockError, Refused, Unreachable } from "./errors.js";
export {
  type AnyChoice,
  type Clock,
  type Match,
  type MatchEvent,
  type Refusal,
  type Result,
  type Revealed,
  readMatch,
  type Seat,
  type SeatResult,
} from "./match.js";
export { play, run, type Settings, VERSION } from "./run.js";
export * as v1 from "./wire/paddock/v1/arena.js";
