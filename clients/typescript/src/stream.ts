import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Client, type ClientDuplexStream, credentials, Metadata, type status } from "@grpc/grpc-js";
import type { Address } from "./address.js";
import { type BotItem, PlayRequest } from "./wire/paddock/v1/arena.js";

const FRAME_BYTES = 64 * 1024; // the largest frame that a bot sends; it may get larger ones
const MOST_ITEMS = 256; // of a frame
const MOST_BYTES = 48 * 1024; // of a frame, as counted here
const SHORT_BYTES = 100; // at most, of an item without its words
const CHARACTER_BYTES = 3; // at most, of a character of a string in UTF-8

/** How a stream ended: its status, and the reason in its metadata. */
export interface StreamEnd {
  readonly code: status;
  readonly details: string;
  readonly reason: string;
}

/** One stream to a server. Items that arrive during one write leave together in the next frame. */
export class Stream {
  /** Settled when the stream has ended. */
  readonly end: Promise<StreamEnd>;
  readonly #client: Client;
  readonly #call: ClientDuplexStream<PlayRequest, Uint8Array>;
  #waiting: BotItem[] = [];
  #writing = false;
  #scheduled = false;
  #closed = false;

  constructor(address: Address, token: string, receive: (item: Uint8Array) => void) {
    this.#client = new Client(address.target, channelCredentials(address), {
      "grpc.max_send_message_length": FRAME_BYTES,
      // A server that froze or lost its network says nothing: ping it.
      "grpc.keepalive_time_ms": 10_000,
      "grpc.keepalive_timeout_ms": 5_000,
      // Every attempt is a new channel: `Backoff` decides how long it waits, not earlier channels.
      "grpc.use_local_subchannel_pool": 1,
      "grpc.enable_retries": 0,
    });
    const metadata = new Metadata();
    if (token) metadata.set("authorization", `Bearer ${token}`);
    this.#call = this.#client.makeBidiStreamRequest<PlayRequest, Uint8Array>(
      "/paddock.v1.ArenaService/Play",
      (frame) => Buffer.from(PlayRequest.encode(frame).finish()),
      (bytes) => bytes,
      metadata,
    );
    this.#call.on("data", (frame: Uint8Array) => {
      for (const item of itemsOf(frame)) receive(item);
    });
    this.#call.on("error", () => {}); // its status says it all
    this.end = new Promise((resolve) => {
      this.#call.on("status", ({ code, details, metadata: trailers }) => {
        const [reason] = trailers.get("paddock-reason");
        resolve({ code, details, reason: reason ? String(reason) : "" });
      });
    });
  }

  /** Send an item with the next frame. */
  send(item: BotItem): void {
    this.#waiting.push(item);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#write();
    });
  }

  /** Say that nothing more comes, when all items are sent. */
  close(): void {
    this.#closed = true;
    this.#write();
  }

  /** End the stream at once. */
  cancel(): void {
    this.#call.cancel();
    this.#client.close();
  }

  #write(): void {
    if (this.#writing) return;
    if (this.#waiting.length === 0) {
      if (this.#closed) this.#call.end();
      return;
    }
    const items = this.#waiting.splice(0, countOfFrame(this.#waiting));
    this.#writing = true;
    this.#call.write({ items }, () => {
      this.#writing = false;
      this.#write();
    });
  }
}

/** How many of the items go into one frame, at least one. */
function countOfFrame(items: readonly BotItem[]): number {
  let [count, bytes] = [0, 0];
  for (const { item } of items) {
    const words = item?.$case === "choice" ? item.value.fallback.length : 0;
    bytes += SHORT_BYTES + CHARACTER_BYTES * words;
    if (count > 0 && (bytes > MOST_BYTES || count === MOST_ITEMS)) break;
    count += 1;
  }
  return count;
}

function channelCredentials({ tls, ca, cert, key }: Address) {
  if (!tls) return credentials.createInsecure();
  const [root, own, secret] = [ca, key, cert].map((part) => (part ? Buffer.from(part) : null));
  return credentials.createSsl(root, own, secret);
}

/** The items of a PlayResponse, each still encoded. */
function* itemsOf(frame: Uint8Array): Iterable<Uint8Array> {
  const reader = new BinaryReader(frame);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) yield reader.bytes();
    else reader.skip(wireType, field);
  }
}
