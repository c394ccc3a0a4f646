import { type Ask, readAsk } from "./ask.js";
import type { Bot } from "./bot.js";
import { Dice, matchSeed } from "./dice.js";
import { log, stackOf } from "./log.js";
import { type Match, readEvent, readMatch, readResult } from "./match.js";
import type { Answered, Told } from "./messages.js";
import * as wire from "./wire/paddock/v1/arena.js";

const MOST_CHARACTERS = 200; // of a fallback's reason; the server cuts what is longer

/** The calls of a bot's methods for one match: in order, one after the other. */
export class Calls {
  readonly #bot: Bot;
  readonly #matchId: string;
  readonly #answer: (answer: Answered) => void;
  readonly #match: Match | undefined;
  readonly #seed: Uint8Array = new Uint8Array();
  readonly #unreadable: string = "";
  #decisions = 0; // that were asked for so far
  #forgotten = false;
  #open = -1; // the key of the ask that still wants an answer
  #last: Promise<void>;

  constructor(bot: Bot, started: Uint8Array, secret: Uint8Array, answer: (a: Answered) => void) {
    const sent = wire.MatchStarted.decode(started);
    this.#bot = bot;
    this.#matchId = sent.matchId;
    this.#answer = answer;
    // What was told together is heard together, before the bot is called for the first of it.
    this.#last = new Promise((resolve) => setImmediate(resolve));
    try {
      const match = readMatch(sent);
      this.#match = match;
      this.#seed = matchSeed(secret, match.dice, match.seat);
      this.#hook("started", () => bot.started?.(match));
    } catch (problem) {
      this.#unreadable = (problem as Error).message;
      log.error(`match unreadable: ${sent.matchId}: ${this.#unreadable}; use a newer paddock`);
    }
  }

  /** Settled when the present calls are made. */
  get done(): Promise<void> {
    return this.#last;
  }

  /** Hear what the bot is told. */
  hear(told: Told): void {
    const [bot, match] = [this.#bot, this.#match];
    switch (told.kind) {
      case "ask":
        this.#open = told.key;
        this.#queue(() => this.#choose(told.key, told.ask));
        break;
      case "happened":
        this.#hook("happened", () => {
          const happened = wire.Happened.decode(told.happened);
          return match && bot.happened?.(match, readEvent(happened));
        });
        break;
      case "refused":
        this.#hook(
          "refused",
          () => match && bot.refused?.(match, wire.Refused.decode(told.refused)),
        );
        break;
      case "ended":
        this.#open = -1;
        this.#end(wire.MatchEnded.decode(told.ended));
        break;
      default: // it is forgotten: the bot hears no more of it
        this.#open = -1;
        this.#forgotten = true;
    }
  }

  #end(ended: wire.MatchEnded): void {
    const match = this.#match;
    if (!match) return;
    const result = readResult(ended, match);
    log.info(`match ended: ${match.id}, rank ${result.seats[match.seat]?.rank ?? 0}`);
    if (result.keptItsWord === false) {
      log.warning(`seed wrong: match ${match.id}: the seed is not the one the server committed to`);
    }
    this.#hook("ended", () => this.#bot.ended?.(match, result));
  }

  #hook(method: "started" | "happened" | "refused" | "ended", call: () => unknown): void {
    if (!this.#bot[method]) return;
    this.#queue(async () => {
      try {
        await call();
      } catch (problem) {
        log.error(`${method} failed: match ${this.#matchId}: ${stackOf(problem)}`);
      }
    });
  }

  #queue(job: () => Promise<void>): void {
    this.#last = this.#last.then(() => (this.#forgotten ? undefined : job()));
  }

  async #choose(key: number, encoded: Uint8Array): Promise<void> {
    if (key !== this.#open) return; // it was over before an earlier choice of this match was made
    const sent = wire.Ask.decode(encoded);
    const where = `match ${this.#matchId}, ask ${sent.askId}`;
    const answer = (choice: { number?: number; fallback?: string }) =>
      this.#answer({ kind: "answer", matchId: this.#matchId, key, ...choice });
    let ask: Ask;
    try {
      if (!this.#match) throw new Error(this.#unreadable);
      ask = readAsk(sent, this.#match, new Dice(this.#seed, this.#decisions++));
    } catch (problem) {
      const { message } = problem as Error;
      log.error(`fallback: ${where}: the ask is unreadable: ${message}; use a newer paddock`);
      answer({ fallback: cut(`unreadable: ${message}`) });
      return;
    }
    try {
      answer({ number: numberOf(ask, await this.#bot.choose(ask)) });
    } catch (problem) {
      log.error(`fallback: ${where}: ${ask.default} is played instead: ${stackOf(problem)}`);
      answer({ fallback: cut(String(problem)) });
    }
  }
}

/** The number of what a bot chose; throws RangeError where that is not legal. */
function numberOf(ask: Ask, chosen: unknown): number {
  const legal: readonly unknown[] = ask.legal;
  const number = typeof chosen === "number" ? chosen : legal.indexOf(chosen);
  if (legal[number] === undefined) {
    const what = typeof chosen === "object" ? String(chosen) : JSON.stringify(chosen);
    throw new RangeError(`choose returned ${what}, which is not one of ask.legal`);
  }
  return number;
}

/** A reason of at most 200 characters. */
function cut(reason: string): string {
  return [...reason].slice(0, MOST_CHARACTERS).join("");
}
