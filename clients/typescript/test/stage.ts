// A server that a test plays, and recorded asks to play with.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import { type Bot, play, type Settings, v1 } from "../src/index.js";

type Items = v1.RefereeItem["item"][];
type Wire = ServerDuplexStream<v1.PlayRequest, Uint8Array>;

/** One stream of a bot. */
export class Call {
  readonly #wire: Wire;
  readonly #heard: v1.BotItem[] = [];
  #wake: () => void = () => {};

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on("data", (frame: v1.PlayRequest) => {
      this.#heard.push(...frame.items);
      this.#wake();
    });
    wire.on("end", () => wire.end());
    wire.on("error", () => {});
  }

  /** Send a frame with these items; `undefined` is one of an unknown kind. */
  say(...items: Items): void {
    const frame = v1.PlayResponse.encode({ items: items.map((item) => ({ item })) }).finish();
    this.#wire.write(frame);
  }

  /** Send bytes as a frame. */
  sayBytes(frame: Uint8Array): void {
    this.#wire.write(frame);
  }

  /** The next item that the bot says. */
  async next(): Promise<NonNullable<v1.BotItem["item"]>> {
    while (this.#heard.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const { item } = this.#heard.shift() as v1.BotItem;
    if (!item) throw new Error("an item of an unknown kind");
    return item;
  }

  /** The next item, which has to be of this kind. */
  async expect<K extends NonNullable<v1.BotItem["item"]>["$case"]>(
    kind: K,
  ): Promise<Extract<NonNullable<v1.BotItem["item"]>, { $case: K }>["value"]> {
    const item = await this.next();
    if (item.$case !== kind) throw new Error(`got ${item.$case}, not ${kind}`);
    return item.value as never;
  }

  /** End the stream with a status. */
  end(code: status = status.OK, details = ""): void {
    if (code === status.OK) this.#wire.end();
    else this.#wire.emit("error", { code, details });
  }
}

/** A server on a socket of its own. */
export class Stage {
  address = "";
  readonly #server = new Server();
  readonly #calls: Call[] = [];
  readonly #bots: (() => Promise<void>)[] = []; // how to stop them
  #wake: () => void = () => {};

  static async open(t: TestContext): Promise<Stage> {
    const stage = new Stage();
    const folder = mkdtempSync(join(tmpdir(), "paddock-"));
    stage.#server.register(
      "/paddock.v1.ArenaService/Play",
      (wire: unknown, _answer?: sendUnaryData<unknown>) => {
        stage.#calls.push(new Call(wire as Wire));
        stage.#wake();
      },
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer) => v1.PlayRequest.decode(bytes),
      "bidi",
    );
    stage.address = `unix:${join(folder, "s")}`;
    const credentials = ServerCredentials.createInsecure();
    await new Promise<void>((resolve, reject) => {
      stage.#server.bindAsync(stage.address, credentials, (problem) => {
        if (problem) reject(problem);
        else resolve();
      });
    });
    t.after(async () => {
      await Promise.all(stage.#bots.map((stop) => stop()));
      stage.#server.forceShutdown();
      rmSync(folder, { recursive: true });
    });
    return stage;
  }

  /** The next stream up to Welcome, with what its Hello said. */
  async welcome(): Promise<[Call, v1.Hello]> {
    while (this.#calls.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const call = this.#calls.shift() as Call;
    const hello = await call.expect("hello");
    call.say({ $case: "welcome", value: v1.Welcome.create({ resumeToken: "again" }) });
    return [call, hello];
  }

  /** Run a bot against this server; the promise is that of `play`. */
  start(bot: Bot, settings: Settings = {}): { stop(): void; ended: Promise<void> } {
    const stop = new AbortController();
    const named = { server: this.address, name: "tested", stop: stop.signal };
    const ended = play(bot, { ...named, ...settings });
    ended.catch(() => {});
    this.#bots.push(async () => {
      stop.abort();
      await ended.catch(() => {});
    });
    return { stop: () => stop.abort(), ended };
  }
}

/** A file of tests/data/bots: asks with the answers of the sample bots. */
export interface Recorded {
  readonly secret: string;
  readonly matches: readonly {
    readonly started: string;
    readonly asks: readonly {
      readonly ask: string;
      readonly random: number;
      readonly greedy: number;
      readonly careful: number;
    }[];
  }[];
}

const FOLDER = new URL("../../../../tests/data/bots/", import.meta.url);

/** All recorded files. */
export function recorded(): Recorded[] {
  return readdirSync(FOLDER).map((name) => {
    return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as Recorded;
  });
}

/** A match of summer as it starts, and its asks. */
export function aMatch(): { started: v1.MatchStarted; asks: v1.Ask[] } {
  const file = readFileSync(new URL("summer.json", FOLDER), "utf8");
  const [match] = (JSON.parse(file) as Recorded).matches;
  if (!match) throw new Error("summer.json has no match");
  return {
    started: v1.MatchStarted.decode(Buffer.from(match.started, "base64")),
    asks: match.asks.map(({ ask }) => v1.Ask.decode(Buffer.from(ask, "base64"))),
  };
}

export const start = (value: v1.MatchStarted) => ({ $case: "matchStarted", value }) as const;
export const ask = (value: v1.Ask) => ({ $case: "ask", value }) as const;
export const ping = (id: bigint) => ({ $case: "ping", value: { id } }) as const;
export const goodbye = (value: Partial<v1.Goodbye>) =>
  ({ $case: "goodbye", value: v1.Goodbye.create(value) }) as const;

/** The numbers of answers. */
export function numberOf(choice: v1.Choice): number | undefined {
  return choice.answer?.$case === "number" ? choice.answer.value : undefined;
}
