import { Worker } from "node:worker_threads";
import { type Certificates, givenAddresses } from "./address.js";
import { FORMATS } from "./ask.js";
import type { Bot } from "./bot.js";
import { Calls } from "./calls.js";
import { ownSecret } from "./dice.js";
import { BadSettings, PaddockError, Refused, Unreachable } from "./errors.js";
import { log, logsEverything } from "./log.js";
import type { Beginning, Failure, Said, Told } from "./messages.js";
import { Hello } from "./wire/paddock/v1/arena.js";

/** The version of this SDK. */
export const VERSION = "0.1.0";

const PROTOCOL = 1;
const USUAL_MATCHES = 8;
const FAREWELL_MS = 5_000; // for the last calls of the bot, when it is stopped

/** How a bot is run; what is missing comes from the environment. */
export interface Settings extends Certificates {
  /**
   * HOST:PORT, https://HOST:PORT or unix:PATH, or a list of them with commas, which are tried in turn;
   * by default PADDOCK_SERVER.
   */
  readonly server?: string | undefined;
  /** By default PADDOCK_TOKEN. */
  readonly token?: string | undefined;
  /** The bot's name on the server; by default PADDOCK_BOT, or what the bot says. */
  readonly name?: string | undefined;
  /** Most matches at once; by default what the bot says. */
  readonly maxMatches?: number | undefined;
  /** End once all matches that began have ended. */
  readonly stopWhenIdle?: boolean;
  /** Without a connection; by default never. */
  readonly giveUpAfterMs?: number;
  /** Stops the bot. */
  readonly stop?: AbortSignal;
}

/**
 * Let the bot play until `settings.stop`. Throws BadSettings, Refused if the server refuses the bot,
 * and Unreachable where there was no connection for `settings.giveUpAfterMs`.
 */
export async function play(bot: Bot, settings: Settings = {}): Promise<void> {
  const addresses = givenAddresses(settings.server, settings);
  const hello = helloOf(bot, settings);
  const beginning: Beginning = {
    addresses,
    token: tokenOf(settings.token || process.env.PADDOCK_TOKEN || ""),
    hello: Hello.encode(hello).finish(),
    stopWhenIdle: settings.stopWhenIdle ?? false,
    giveUpAfterMs: settings.giveUpAfterMs ?? 0,
    verbose: logsEverything(),
  };
  if (settings.stop?.aborted) return;
  log.info(`connecting: ${hello.bot} to ${addresses[0]?.target}`);
  const thread = new Worker(new URL("./thread.js", import.meta.url), { workerData: beginning });
  const stop = () => thread.postMessage({ kind: "stop" } satisfies Said);
  settings.stop?.addEventListener("abort", stop);
  const running = new Map<string, Calls>();
  try {
    const failure = await follow(thread, bot, running);
    if (failure?.kind === "refused") throw new Refused(failure.reason, failure.sentence);
    if (failure) throw new Unreachable(failure.sentence);
  } finally {
    settings.stop?.removeEventListener("abort", stop);
    await farewell(running);
    await thread.terminate();
  }
}

/** Call the bot for what its thread tells, until the session is over. */
function follow(
  thread: Worker,
  bot: Bot,
  running: Map<string, Calls>,
): Promise<Failure | undefined> {
  const secret = ownSecret();
  const answer = (said: Said) => thread.postMessage(said);
  return new Promise((resolve, reject) => {
    thread.on("error", reject);
    thread.on("exit", () => reject(new PaddockError("the thread of the connection ended")));
    thread.on("message", (told: Told) => {
      if (told.kind === "over") {
        resolve(told.error);
      } else if (told.kind === "started") {
        running.set(told.matchId, new Calls(bot, told.started, secret, answer));
      } else {
        running.get(told.matchId)?.hear(told);
        if (told.kind === "ended" || told.kind === "forgotten") forget(told.matchId, running);
      }
    });
  });
}

/** Forget a match when its last calls are made. */
function forget(matchId: string, running: Map<string, Calls>): void {
  const calls = running.get(matchId);
  calls?.done.then(() => {
    if (running.get(matchId) === calls) running.delete(matchId);
  });
}

/** Wait for the last calls of the bot, but not without end. */
async function farewell(running: ReadonlyMap<string, Calls>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS);
  });
  await Promise.race([time, Promise.all([...running.values()].map((calls) => calls.done))]);
  clearTimeout(timer);
}

/**
 * Let the bot play until the process gets SIGINT (Ctrl-C) or SIGTERM, reconnecting as often as it
 * takes. Ends the process with code 2 and the server's sentence if the bot is refused.
 */
export async function run(bot: Bot, settings: Omit<Settings, "stop"> = {}): Promise<void> {
  const stop = new AbortController();
  const stopped = () => {
    process.off("SIGINT", stopped);
    process.off("SIGTERM", stopped); // a second signal ends the process
    stop.abort();
  };
  process.on("SIGINT", stopped);
  process.on("SIGTERM", stopped);
  try {
    await play(bot, { ...settings, stop: stop.signal });
    process.exit(0); // a call of the bot that never ends must not keep the process
  } catch (problem) {
    if (!(problem instanceof PaddockError)) throw problem;
    log.error(problem.message);
    process.exit(problem.exitCode);
  }
}

function helloOf(bot: Bot, settings: Settings): Hello {
  const maxMatches = settings.maxMatches ?? bot.maxMatches ?? USUAL_MATCHES;
  if (!Number.isInteger(maxMatches) || maxMatches < 1) {
    throw new BadSettings(`maxMatches: give 1 or more, not ${maxMatches}`);
  }
  if (typeof bot.formats === "string") {
    throw new BadSettings(`formats: give a list, such as ["${bot.formats}"]`);
  }
  return Hello.create({
    bot: settings.name || process.env.PADDOCK_BOT || bot.name || bot.constructor.name,
    version: (bot.version ?? "1").slice(0, 40),
    client: `paddock-typescript/${VERSION}`,
    protocol: PROTOCOL,
    formats: [...(bot.formats ?? [])],
    knownFormats: [...FORMATS],
    maxMatches,
    sendsNonces: true,
    commitsNonces: true,
    language: "TypeScript",
  });
}

function tokenOf(text: string): string {
  const token = text.trim(); // files that tokens are read from end in a newline
  if (!/^[ -~]*$/.test(token)) {
    throw new BadSettings("token: it has invalid characters; copy it again");
  }
  return token;
}
