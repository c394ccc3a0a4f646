import { log } from "./log.js";
import { faultName } from "./match.js";
import type { Answered, Told } from "./messages.js";
import { Part } from "./part.js";
import {
  type Ask,
  type BotItem,
  type Choice,
  GameView,
  type Happened,
  type MatchEnded,
  type MatchStarted,
} from "./wire/paddock/v1/arena.js";

const REMEMBERED_ASKS = 8; // of a match; the referee has one open at a time

/** An ask that the bot was shown, and its answer. */
interface Asked {
  readonly id: bigint;
  readonly key: number;
  readonly view: Uint8Array; // as the referee sent it
  readonly shown: number; // when, in milliseconds
  answer?: Choice;
}

/** How a sitting reaches the server and the bot. */
export interface Ends {
  send(item: BotItem): void;
  tell(told: Told): void;
}

/** This bot's seat in one match, from MatchStarted to MatchEnded, over any number of streams. */
export class Sitting {
  readonly id: string;
  readonly part: Part;
  readonly #seat: number;
  readonly #ends: Ends;
  #asked: Asked[] = []; // the last ones
  #open: Asked | undefined; // the ask that still wants an answer
  #keys = 0;

  constructor(started: MatchStarted, ends: Ends) {
    this.id = started.matchId;
    this.#seat = started.seat;
    this.part = new Part(started.matchId, started.seat);
    this.#ends = ends;
  }

  /**
   * Pass an ask on to the bot, or repeat its answer; a choice under way goes on. An ask with another
   * view is another ask, even if it has the same id.
   */
  ask(ask: Ask, encoded: Uint8Array): void {
    const view = GameView.encode(ask.view ?? GameView.create()).finish();
    const known = this.#asked.find(({ id }) => id === ask.askId);
    if (known && Buffer.compare(known.view, view) === 0) {
      if (known.answer) this.#send(known.answer);
      return;
    }
    const key = this.#keys++;
    this.#open = { id: ask.askId, key, view, shown: Date.now() };
    this.#asked = [...this.#asked.filter((each) => each !== known), this.#open].slice(
      -REMEMBERED_ASKS,
    );
    this.#ends.tell({ kind: "ask", matchId: this.id, key, ask: encoded });
  }

  /** Send and keep what the bot answered, unless nobody waits for it any more. */
  answered({ key, number, fallback }: Answered): void {
    const open = this.#open;
    if (open?.key !== key) {
      logDropped(this.id);
      return;
    }
    const where = `match ${this.id}, ask ${open.id}`;
    log.debug(
      `answer sent: ${where}: number ${number ?? "none"}, after ${Date.now() - open.shown} ms`,
    );
    const answer = number === undefined ? undefined : ({ $case: "number", value: number } as const);
    open.answer = { askId: open.id, answer, fallback: fallback ?? "" };
    this.#send(open.answer);
  }

  #send(value: Choice): void {
    this.#ends.send({ item: { $case: "choice", value } });
  }

  /** Whether this ask, a recent one, belongs to this match. */
  hasAsked(askId: bigint): boolean {
    return this.#asked.some(({ id }) => id === askId);
  }

  /** Log the faults of this seat. */
  happened({ revealed }: Happened): void {
    for (const { seat, fault } of revealed) {
      const name = seat === this.#seat ? faultName(fault) : null;
      if (name) log.warning(`fault ${name}: match ${this.id}: the referee chose`);
    }
  }

  /** Check the nonces; open choices no longer matter. */
  end({ voidReason, nonces }: MatchEnded): void {
    this.#open = undefined;
    const wrong = voidReason ? "" : this.part.wrong(nonces);
    if (voidReason) log.warning(`match void: ${this.id} counts for nothing: ${voidReason}`);
    if (wrong) log.warning(`nonces wrong: match ${this.id}: ${wrong}`);
  }
}

/** Say that an answer came when nobody waited for it any more. */
export function logDropped(matchId: string): void {
  log.warning(`answer dropped: match ${matchId}: choose was too late`);
}
