package dev.paddock;

import dev.paddock.PaddockException.BadSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;

/**
 * The address of the next attempt to connect.
 *
 * <p>After a failure the next one of the list is tried. A Goodbye may name an address that is not
 * in it: the bot stays there as long as it is welcomed, and it takes part in the turns from then
 * on.
 */
final class Route {
  private static final Logger LOG = Logger.getLogger("dev.paddock");

  private final List<Address> homes;
  private List<Address> stops; // the homes, and where the last Goodbye sent the bot
  private int at;

  Route(List<Address> homes) {
    this.homes = homes;
    this.stops = homes;
  }

  /** Returns the address of the next attempt. */
  Address next() {
    return stops.get(at);
  }

  /** Makes the next address of the list the next one. */
  void failed() {
    at = (at + 1) % stops.size();
  }

  /** Makes the address of a Goodbye the next one, unless it can't be used. */
  void move(String server) {
    Address moved;
    try {
      moved = next().redirected(server);
    } catch (BadSettings wrong) {
      LOG.warning("goodbye ignored: its address can't be used: " + wrong.getMessage());
      return;
    }
    LOG.info("address changed: the server moves this bot to " + moved.target());
    for (int home = 0; home < homes.size(); home++) {
      Address stop = homes.get(home);
      boolean alike = (stop.tls() == null) == (moved.tls() == null);
      if (alike && stop.target().equals(moved.target())) {
        at = home;
        return;
      }
    }
    stops = new ArrayList<>(homes);
    stops.add(moved);
    at = homes.size();
  }
}
