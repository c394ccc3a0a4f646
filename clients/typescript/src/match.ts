import { createHash } from "node:crypto";
import type * as dino_twist from "./dino_twist/index.js";
import * as dinoTwist from "./dino_twist/reading.js";
import type * as draft from "./draftosaurus/index.js";
import * as draftosaurus from "./draftosaurus/reading.js";
import { Unreadable } from "./reading.js";
import * as wire from "./wire/paddock/v1/arena.js";

/** The bot in a seat. */
export interface Seat {
  readonly bot: string;
  readonly version: string;
  readonly owner: string;
  /** The share of a core that it has at least, where the arena runs it; 0: it does not, or promises none. */
  readonly cpuShare: number;
}

/** How time is counted: what a decision takes longer than the base comes out of the bank. */
export interface Clock {
  readonly baseMs: number;
  readonly bankMs: number;
  readonly lagAllowanceMs: number;
  /** In a row, until the seat forfeits. */
  readonly maxFaults: number;
}

interface MatchOf<Game, Rules> {
  readonly game: Game;
  readonly rules: Rules;
  readonly id: string;
  readonly format: string;
  readonly seats: readonly Seat[];
  /** Which of the seats is this bot's. */
  readonly seat: number;
  readonly clock: Clock;
  /** SHA-256 of the seed that the deal comes from. */
  readonly commitment: Uint8Array;
  /** Empty where there is none. */
  readonly tournament: string;
  /** What the dice are made from, with a secret of this client. */
  readonly dice: Uint8Array;
}

/** A match that this bot plays in; `game` tells which game it is. */
export type Match = MatchOf<"draftosaurus", draft.Rules> | MatchOf<"dino_twist", dino_twist.Rules>;

/** A choice of any game. */
export type AnyChoice = draft.Choice | dino_twist.Choice;

/** The choice of one seat; `fault` says why the referee made it, null: the bot chose. */
export interface Revealed {
  readonly seat: number;
  readonly choice: AnyChoice;
  readonly fault: string | null;
}

/** What everybody chose in one step of a match. */
export interface MatchEvent {
  readonly step: number;
  readonly revealed: readonly Revealed[];
}

/** An answer that did not count; `reason` is stable, such as choice/stale. */
export interface Refusal {
  readonly askId: bigint;
  readonly reason: string;
  readonly sentence: string;
}

/** The result of a seat; rank 1 is best, and equal seats share a rank. */
export interface SeatResult {
  readonly total: number;
  readonly rank: number;
  readonly forfeit: boolean;
  /** Decisions that the referee made. */
  readonly faults: number;
  /** Decisions that the bot's client made. */
  readonly fallbacks: number;
}

/** The result of a match. */
export interface Result {
  readonly seats: readonly SeatResult[];
  /** Empty while other matches have the same deal. */
  readonly seed: Uint8Array;
  readonly nonces: readonly Uint8Array[];
  /** Whether the seed is the one that was promised before the deal; null: it is still secret. */
  readonly keptItsWord: boolean | null;
  /** Why the match counts for nothing; empty: it counts. */
  readonly voidReason: string;
  /** The points in detail, as the server sent them. */
  readonly scores: wire.MatchEnded["scores"];
}

/** The match in a message; throws Unreadable where its game or rules are unknown here. */
export function readMatch(sent: wire.MatchStarted): Match {
  const { matchId: id, format, seat, commitment, tournament, dice } = sent;
  const seats = sent.seats.map(({ bot, version, owner, cpuShare }) => {
    return { bot, version, owner, cpuShare };
  });
  if (seat >= seats.length) throw new Unreadable(`match ${id} has no seat ${seat}`);
  const { baseMs, bankMs, lagAllowanceMs, maxFaults } = sent.clock ?? wire.Clock.create();
  const clock = { baseMs, bankMs, lagAllowanceMs, maxFaults };
  const match = { id, format, seats, seat, clock, commitment, tournament, dice };
  switch (sent.rules?.$case) {
    case "draftosaurus":
      return { ...match, game: "draftosaurus", rules: draftosaurus.readRules(sent.rules.value) };
    case "dinoTwist":
      return { ...match, game: "dino_twist", rules: dinoTwist.readRules(sent.rules.value) };
    default:
      throw new Unreadable(`the game of the format ${format} is unknown here`);
  }
}

/** What everybody chose, in a message. */
export function readEvent(sent: wire.Happened): MatchEvent {
  const revealed = sent.revealed.map(({ seat, choice, fault }) => {
    return { seat, choice: readChoice(choice), fault: faultName(fault) };
  });
  return { step: sent.step, revealed };
}

function readChoice(sent: wire.GameChoice | undefined): AnyChoice {
  switch (sent?.game?.$case) {
    case "draftosaurus":
      return draftosaurus.readChoice(sent.game.value, -1);
    case "dinoTwist":
      return dinoTwist.readChoice(sent.game.value, -1);
    default:
      throw new Unreadable("a choice of a game that is unknown here");
  }
}

/** The result in a message. */
export function readResult(sent: wire.MatchEnded, match: Match): Result {
  const digest = createHash("sha256").update(sent.seed).digest();
  return {
    seats: sent.seats.map(({ total, rank, forfeit, faults, fallbacks }) => {
      return { total, rank, forfeit, faults, fallbacks };
    }),
    seed: sent.seed,
    nonces: sent.nonces,
    keptItsWord: sent.seed.length ? digest.equals(match.commitment) : null,
    voidReason: sent.voidReason,
    scores: sent.scores,
  };
}

/** The name of a fault, such as TIMEOUT; null: there was none. */
export function faultName(fault: wire.Fault): string | null {
  // A fault that a newer server knows is still a fault.
  return fault === wire.Fault.UNSPECIFIED ? null : (wire.Fault[fault] ?? "OTHER");
}
