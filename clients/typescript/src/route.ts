import { type Address, redirected } from "./address.js";
import { log } from "./log.js";

/**
 * The address of the next attempt to connect. After a failure the next one of the list is tried. A
 * Goodbye may name an address that is not in it: the bot stays there as long as it is welcomed, and
 * it takes part in the turns from then on.
 */
export class Route {
  readonly #homes: readonly Address[];
  #stops: readonly Address[]; // the homes, and where the last Goodbye sent the bot
  #at = 0;

  constructor(homes: readonly Address[]) {
    this.#homes = homes;
    this.#stops = homes;
  }

  /** The address of the next attempt. */
  get next(): Address {
    return this.#stops[this.#at] as Address;
  }

  /** Try the next address of the list next. */
  failed(): void {
    this.#at = (this.#at + 1) % this.#stops.length;
  }

  /** Use the address of a Goodbye next, unless it can't be used. */
  move(server: string): void {
    let moved: Address;
    try {
      moved = redirected(this.next, server);
    } catch (problem) {
      log.warning(`goodbye ignored: its address can't be used: ${(problem as Error).message}`);
      return;
    }
    log.info(`address changed: the server moves this bot to ${moved.target}`);
    const known = this.#homes.findIndex((home) => {
      return home.target === moved.target && home.tls === moved.tls;
    });
    if (known < 0) this.#stops = [...this.#homes, moved];
    this.#at = known < 0 ? this.#homes.length : known;
  }
}
