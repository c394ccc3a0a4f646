import { createHash, randomBytes } from "node:crypto";
import type { BotItem } from "./wire/paddock/v1/arena.js";

const NONCE_BYTES = 16;

/**
 * This client's part in the deal of one match: its nonce, which it sends in one step or in two, and
 * the digests of the others. The nonce is the same on every stream. It is opened only to a server
 * that told the digests of all seats before, the same ones every time.
 */
export class Part {
  readonly #nonce = randomBytes(NONCE_BYTES);
  #committed = false; // whether the digest was sent
  #digests: readonly Uint8Array[] = []; // of all seats, as they were told first

  constructor(
    readonly matchId: string,
    readonly seat: number,
  ) {}

  /** The answer to MatchStarted; undefined: the digest was sent before, and is not wanted now. */
  begin(commit: boolean): BotItem | undefined {
    if (commit) {
      this.#committed = true;
      const value = { matchId: this.matchId, digest: digestOf(this.#nonce) };
      return { item: { $case: "nonceCommitment", value } };
    }
    return this.#committed ? undefined : this.#open();
  }

  /** The answer to NonceCommitments; undefined: they are wrong, and the nonce stays secret. */
  told(digests: readonly Uint8Array[]): BotItem | undefined {
    const mine = digests[this.seat];
    const right = this.#committed && mine && digestOf(this.#nonce).equals(mine);
    if (!right || (this.#digests.length > 0 && !areEqual(this.#digests, digests))) return undefined;
    this.#digests = digests;
    return this.#open();
  }

  /** What is wrong with the nonces that the deal was made of; empty: nothing is. */
  wrong(nonces: readonly Uint8Array[]): string {
    const seats = this.#digests.length;
    if (seats === 0) return "";
    if (nonces.length !== seats)
      return `the server tells ${nonces.length} nonces of ${seats} seats`;
    const none = Buffer.alloc(NONCE_BYTES);
    for (const [seat, nonce] of nonces.entries()) {
      const digest = this.#digests[seat] as Uint8Array;
      if (!none.equals(nonce) && !digestOf(nonce).equals(digest)) {
        return `the nonce of seat ${seat} does not fit the digest that was told before`;
      }
    }
    const used = this.#nonce.equals(nonces[this.seat] as Uint8Array);
    return used ? "" : "the deal was made without the nonce of this seat, as if it had been late";
  }

  #open(): BotItem {
    const value = { matchId: this.matchId, nonce: this.#nonce };
    return { item: { $case: "nonce", value } };
  }
}

/** SHA-256 of a nonce. */
export function digestOf(nonce: Uint8Array): Buffer {
  return createHash("sha256").update(nonce).digest();
}

function areEqual(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  return (
    one.length === other.length &&
    one.every((bytes, at) => Buffer.compare(bytes, other[at] as Uint8Array) === 0)
  );
}
