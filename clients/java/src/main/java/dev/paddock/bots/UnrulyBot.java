package dev.paddock.bots;

import dev.paddock.Ask;
import dev.paddock.Bot;
import dev.paddock.Paddock;
import dev.paddock.Settings;

/**
 * A bot for the tests: with UNRULY=slow it thinks for long where it may, with UNRULY=failing it
 * fails.
 */
public final class UnrulyBot implements Bot {
  private static final int LONG_MS = 3000;

  @Override
  public int choose(Ask ask) throws InterruptedException {
    if ("failing".equals(System.getenv("UNRULY"))) {
      throw new IllegalStateException("no idea");
    }
    if (ask.time().toMillis() > LONG_MS) {
      Thread.sleep(LONG_MS);
    }
    return 0;
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    String description = "A bot for the tests.";
    Paddock.main(new UnrulyBot(), description, new Settings().name("unruly"), arguments);
  }
}
