import type { Ask } from "./ask.js";
import type { AnyChoice, Match, MatchEvent, Refusal, Result } from "./match.js";

type Maybe<T> = T | Promise<T>;

/**
 * A bot: `choose` is all that it needs. All methods may be plain or async. What concerns one match is
 * called in order, one call after the other.
 */
export interface Bot {
  /** As the server knows it, unless PADDOCK_BOT says another; by default the name of its class. */
  readonly name?: string;
  /** By default "1". */
  readonly version?: string;
  /** The formats that it plays; by default all that the server has. */
  readonly formats?: readonly string[];
  /** How many matches it plays at once; by default 8. */
  readonly maxMatches?: number;

  /**
   * One of `ask.legal`, or its number. Where this throws or returns anything else, the default is
   * played, and counted as a fallback.
   */
  choose(ask: Ask): Maybe<AnyChoice | number | undefined>;

  /** Called when a match begins. */
  started?(match: Match): Maybe<void>;
  /** Called with what everybody chose. */
  happened?(match: Match, event: MatchEvent): Maybe<void>;
  /** Called when an answer did not count, with the reason. */
  refused?(match: Match, refusal: Refusal): Maybe<void>;
  /** Called when a match ends. */
  ended?(match: Match, result: Result): Maybe<void>;
}
