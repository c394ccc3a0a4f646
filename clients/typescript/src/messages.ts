// What the two threads tell each other. The bot runs in the main thread, which it may block for as
// long as it thinks; the connection has a thread of its own, so that pings are answered meanwhile.

import type { Address } from "./address.js";

/** What the thread of the connection needs to begin. */
export interface Beginning {
  readonly addresses: readonly Address[];
  readonly token: string;
  /** A Hello, encoded. */
  readonly hello: Uint8Array;
  readonly stopWhenIdle: boolean;
  /** Without a connection; 0: never. */
  readonly giveUpAfterMs: number;
  readonly verbose: boolean;
}

/** What the bot's thread is told; messages of the contract are encoded. */
export type Told =
  | { readonly kind: "started"; readonly matchId: string; readonly started: Uint8Array }
  | {
      readonly kind: "ask";
      readonly matchId: string;
      readonly key: number;
      readonly ask: Uint8Array;
    }
  | { readonly kind: "happened"; readonly matchId: string; readonly happened: Uint8Array }
  | { readonly kind: "refused"; readonly matchId: string; readonly refused: Uint8Array }
  | { readonly kind: "ended"; readonly matchId: string; readonly ended: Uint8Array }
  | { readonly kind: "forgotten"; readonly matchId: string }
  | { readonly kind: "over"; readonly error?: Failure };

/** Why a session can't go on. */
export interface Failure {
  readonly kind: "refused" | "unreachable";
  readonly reason: string;
  readonly sentence: string;
}

/** The bot's answer to an ask: the number of a choice, or why there is none. */
export interface Answered {
  readonly kind: "answer";
  readonly matchId: string;
  /** Names the ask between the threads. */
  readonly key: number;
  readonly number?: number;
  readonly fallback?: string;
}

/** What the thread of the connection is told. */
export type Said = Answered | { readonly kind: "stop" };
