import { createHash, createHmac, randomBytes } from "node:crypto";

/** The secret of PADDOCK_DICE_SECRET, which several bots may share, or a new one. */
export function ownSecret(): Uint8Array {
  const common = process.env.PADDOCK_DICE_SECRET;
  return common ? Buffer.from(common, "utf8") : randomBytes(32);
}

/** The seed of a seat's dice in a match. */
export function matchSeed(secret: Uint8Array, dice: Uint8Array, seat: number): Uint8Array {
  return createHash("sha256").update(secret).update(dice).update(Uint8Array.of(seat)).digest();
}

const WORDS = 2 ** 32;

/**
 * The random numbers of one decision. In a comparison all matches of a block have the same, so that
 * everybody has the same luck in them; docs/sample-bots.md tells how they are made.
 */
export class Dice {
  readonly #seed: Buffer;
  #words: number[] = [];
  #block = 0n;
  #rng: (() => number) | undefined;

  /** Decisions of a match count from 0. */
  constructor(seed: Uint8Array, decision: number) {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(decision);
    this.#seed = createHash("sha256").update(seed).update(count).digest();
  }

  /** A number from 0 to n - 1 that bots in other languages draw alike. */
  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > WORDS) {
      throw new RangeError(`below needs a whole number from 1 to 2^32, not ${n}`);
    }
    const limit = WORDS - (WORDS % n);
    for (;;) {
      const word = this.#word();
      if (word < limit) return word % n;
    }
  }

  /** A generator like Math.random, the same until the decision is made. */
  get rng(): () => number {
    this.#rng ??= generator(this.#seed);
    return this.#rng;
  }

  #word(): number {
    if (this.#words.length === 0) {
      const block = Buffer.alloc(8);
      block.writeBigUInt64BE(this.#block++);
      const bytes = createHmac("sha256", this.#seed)
        .update("paddock-deal-1")
        .update(block)
        .digest();
      for (let at = 0; at < bytes.length; at += 4) this.#words.push(bytes.readUInt32BE(at));
    }
    return this.#words.shift() as number;
  }
}

/** Chris Doty-Humphrey's sfc32: small, fast, and good enough for playouts. */
function generator(seed: Buffer): () => number {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / WORDS;
  };
}
