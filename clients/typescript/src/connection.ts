import { status } from "@grpc/grpc-js";
import type { Address } from "./address.js";
import { Backoff, LONGEST_MS } from "./backoff.js";
import { Refused, Unreachable } from "./errors.js";
import { log } from "./log.js";
import { Route } from "./route.js";
import type { Session } from "./session.js";
import { Stream, type StreamEnd } from "./stream.js";
import { explain } from "./trouble.js";

/** Refusals that another attempt would only repeat. */
const FINAL = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.INVALID_ARGUMENT,
  status.FAILED_PRECONDITION,
]);
const REPLACED = "session/replaced";
const FAREWELL_MS = 2_000; // for the last answers to leave, when the bot is stopped

/** The end of a stream after which another attempt makes sense. */
interface Ending {
  readonly sentence: string;
  /** That the server asked for. */
  readonly returnAfterMs: number;
}

/** What a connection is made with. */
export interface Line {
  readonly addresses: readonly Address[];
  readonly token: string;
  readonly session: Session;
  /** Without a connection; 0: never. */
  readonly giveUpAfterMs: number;
}

/**
 * Play over as many streams as needed, until the signal. Throws Refused if the server refuses the
 * bot, and Unreachable where there was no connection for too long.
 */
export async function stayConnected(line: Line, stop: AbortSignal): Promise<void> {
  const { session, giveUpAfterMs } = line;
  const backoff = new Backoff();
  const route = new Route(line.addresses);
  const stopped = new Promise<"stopped">((resolve) => {
    if (stop.aborted) resolve("stopped");
    stop.addEventListener("abort", () => resolve("stopped"));
  });
  let connected = Date.now(); // when a session was last open
  while (!stop.aborted) {
    const began = Date.now();
    const server = route.next;
    const ending = await converse(server, line, stopped);
    if (ending === undefined) return;
    if (session.welcomed) {
      connected = Date.now();
      // Keep waiting longer for a server that hangs up at once.
      if (connected - began > LONGEST_MS) backoff.reset();
    } else {
      route.failed();
    }
    if (session.goodbye?.address) route.move(session.goodbye.address);
    if (giveUpAfterMs > 0 && Date.now() - connected >= giveUpAfterMs) {
      throw new Unreachable(`${server.target}: ${ending.sentence}`);
    }
    const waitMs = backoff.nextMs(ending.returnAfterMs);
    const seconds = (waitMs / 1000).toFixed(1);
    log.warning(
      `no connection to ${server.target}: ${ending.sentence}; ` +
        `next attempt in ${seconds} s at ${route.next.target}`,
    );
    await wait(waitMs, stopped);
  }
}

/** Play on one stream until it ends; undefined: the bot was stopped. */
async function converse(
  server: Address,
  { token, session }: Line,
  stopped: Promise<"stopped">,
): Promise<Ending | undefined> {
  const stream = new Stream(server, token, (item) => session.receive(item));
  session.connect((item) => stream.send(item));
  try {
    const end = await Promise.race([stream.end, stopped]);
    if (end !== "stopped") return judge(end, server, session);
    stream.close(); // the server ends the stream when it has read the last answers
    await wait(FAREWELL_MS, stream.end);
    return undefined;
  } finally {
    session.disconnect();
    stream.cancel();
  }
}

/** The ending of a stream; throws Refused where another attempt would fail the same way. */
function judge(end: StreamEnd, server: Address, session: Session): Ending {
  const { code } = end;
  const reason = end.reason || (/^[a-z_]+\/[a-z_]+/.exec(end.details)?.[0] ?? "");
  let sentence = end.details.slice(end.details.startsWith(reason) ? reason.length : 0);
  sentence = sentence.replace(/^[: ]+/, "");
  if (!reason && (code === status.UNAVAILABLE || code === status.INTERNAL)) {
    const trouble = explain(server, sentence, session.welcomed); // these are grpc's words
    if (trouble.final) throw new Refused(trouble.reason, trouble.sentence);
    sentence = trouble.sentence;
  }
  if (FINAL.has(code) || reason === REPLACED) {
    throw new Refused(reason, sentence || status[code] || "refused");
  }
  const { goodbye } = session;
  if (goodbye) {
    if (goodbye.returnAfterMs === 0) throw new Refused(goodbye.reason, goodbye.sentence);
    const said = goodbye.sentence || goodbye.reason;
    return { sentence: said, returnAfterMs: goodbye.returnAfterMs };
  }
  const full = (reason ? `${reason}: ${sentence}` : sentence) || "the server closed the stream";
  const suffix = code === status.OK ? "" : ` (${status[code]})`;
  return { sentence: full + suffix, returnAfterMs: 0 };
}

/** Wait for some time, or until something else happens. */
async function wait(milliseconds: number, until: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([time, until]);
  clearTimeout(timer);
}
