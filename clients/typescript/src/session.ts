import { RULES_VERSION } from "./dino_twist/material.js";
import { log, stackOf } from "./log.js";
import type { Answered, Told } from "./messages.js";
import { type Ends, logDropped, Sitting } from "./sitting.js";
import * as wire from "./wire/paddock/v1/arena.js";

/** The newest versions of the rules that are known here, by game. */
const KNOWN_RULES: Readonly<Record<string, number>> = {
  draftosaurus: 1,
  dino_twist: RULES_VERSION,
};

/**
 * A session over any number of streams: the bot's matches and its resume token. It handles items in
 * order and never waits for the bot.
 */
export class Session {
  /** Whether the present stream was welcomed. */
  welcomed = false;
  /** Said on the present stream. */
  goodbye: wire.Goodbye | undefined;
  readonly #hello: wire.Hello;
  readonly #ends: Ends;
  readonly #idle: () => void;
  readonly #sittings = new Map<string, Sitting>();
  readonly #current = new Set<string>(); // the matches that started on the present stream
  #send: ((item: wire.BotItem) => void) | undefined;

  constructor(hello: wire.Hello, tell: (told: Told) => void, idle: () => void) {
    this.#hello = hello;
    this.#idle = idle;
    this.#ends = { tell, send: (item) => this.#send?.(item) };
  }

  /** Begin a new stream, with Hello. */
  connect(send: (item: wire.BotItem) => void): void {
    this.#send = send;
    this.welcomed = false;
    this.goodbye = undefined;
    this.#current.clear();
    send({ item: { $case: "hello", value: this.#hello } });
  }

  /** Send nothing from now on; answers are sent when their asks are repeated. */
  disconnect(): void {
    this.#send = undefined;
  }

  /** The bot's answer to an ask. */
  answered(answer: Answered): void {
    const sitting = this.#sittings.get(answer.matchId);
    if (sitting) sitting.answered(answer);
    else logDropped(answer.matchId);
  }

  /** Handle one item of the server, encoded; those of a newer server are passed over. */
  receive(encoded: Uint8Array): void {
    try {
      this.#take(wire.RefereeItem.decode(encoded).item);
    } catch (problem) {
      log.error(`item failed: ${stackOf(problem)}`); // the other matches go on
    }
  }

  #take(item: wire.RefereeItem["item"]): void {
    switch (item?.$case) {
      case "welcome":
        this.#welcome(item.value);
        break;
      case "matchStarted":
        this.#matchStarted(item.value);
        break;
      case "nonceCommitments":
        this.#nonceCommitments(item.value);
        break;
      case "ask":
        this.#ask(item.value);
        break;
      case "happened":
        this.#happened(item.value);
        break;
      case "refused":
        this.#refused(item.value);
        break;
      case "matchEnded":
        this.#matchEnded(item.value);
        break;
      case "ping":
        this.#ends.send({ item: { $case: "pong", value: { id: item.value.id } } });
        break;
      case "goodbye":
        this.goodbye = item.value;
        log.info(`goodbye received: ${item.value.sentence || item.value.reason}`);
    }
  }

  #welcome(welcome: wire.Welcome): void {
    this.welcomed = true;
    this.#hello.resumeToken = welcome.resumeToken;
    const { bot, formats } = this.#hello;
    const plays = welcome.formats.filter((format) => format.plays).map((format) => format.name);
    const played = (plays.length ? plays : formats).join(", ");
    log.info(
      `session opened: ${bot} on paddock ${welcome.server}, session ${welcome.session}, plays ${played}`,
    );
    for (const { name, rulesVersion } of welcome.games) {
      const known = KNOWN_RULES[name];
      if (known !== undefined && known < rulesVersion) {
        log.warning(
          `rules too old: the server plays version ${rulesVersion} of ${name}, ` +
            `and this is version ${known}; use a newer paddock`,
        );
      }
    }
    if (welcome.probation) {
      log.warning(`on probation: ${bot} gets trial matches only: ${welcome.probation}`);
    }
    for (const notice of welcome.notices) log.warning(notice);
    if (!welcome.openMatches) return;
    for (const id of this.#sittings.keys()) {
      if (welcome.openMatches.matchIds.includes(id)) continue;
      log.info(`match ended without a connection: ${id}`);
      this.#sittings.delete(id);
      this.#ends.tell({ kind: "forgotten", matchId: id });
    }
  }

  #matchStarted(started: wire.MatchStarted): void {
    const { matchId, format, seat, seats } = started;
    let sitting = this.#sittings.get(matchId);
    if (!sitting) {
      sitting = new Sitting(started, this.#ends);
      this.#sittings.set(matchId, sitting);
      const names = seats.map(({ bot }) => bot).join(", ");
      log.info(`match started: ${matchId}, ${format}, seat ${seat} of ${names}`);
      const encoded = wire.MatchStarted.encode(started).finish();
      this.#ends.tell({ kind: "started", matchId, started: encoded });
    }
    this.#current.add(matchId);
    const item = sitting.part.begin(started.commitNonces);
    if (item) this.#ends.send(item);
  }

  #nonceCommitments({ matchId, digests }: wire.NonceCommitments): void {
    const sitting = this.#sittings.get(matchId);
    if (!sitting) return;
    const item = sitting.part.told(digests);
    if (item) this.#ends.send(item);
    else log.warning(`nonce kept secret: match ${matchId}: digests wrong`);
  }

  #ask(ask: wire.Ask): void {
    const sitting = this.#sittings.get(ask.matchId);
    if (sitting) sitting.ask(ask, wire.Ask.encode(ask).finish());
    else log.error(`ask ignored: ${ask.askId} is of unknown match ${ask.matchId}`);
  }

  #happened(happened: wire.Happened): void {
    const { matchId } = happened;
    const sitting = this.#sittings.get(matchId);
    if (!sitting) return;
    sitting.happened(happened);
    const encoded = wire.Happened.encode(happened).finish();
    this.#ends.tell({ kind: "happened", matchId, happened: encoded });
  }

  #refused(refused: wire.Refused): void {
    log.warning(`answer refused: ask ${refused.askId}: ${refused.reason}: ${refused.sentence}`);
    const encoded = wire.Refused.encode(refused).finish();
    for (const [matchId, sitting] of this.#sittings) {
      if (sitting.hasAsked(refused.askId)) {
        this.#ends.tell({ kind: "refused", matchId, refused: encoded });
      }
    }
  }

  #matchEnded(ended: wire.MatchEnded): void {
    const { matchId } = ended;
    this.#current.delete(matchId);
    const sitting = this.#sittings.get(matchId);
    if (sitting) {
      sitting.end(ended);
      this.#sittings.delete(matchId);
      this.#ends.tell({ kind: "ended", matchId, ended: wire.MatchEnded.encode(ended).finish() });
    }
    if (this.#current.size === 0) this.#idle();
  }
}
