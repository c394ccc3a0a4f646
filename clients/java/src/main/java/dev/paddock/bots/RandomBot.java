package dev.paddock.bots;

import dev.paddock.Ask;
import dev.paddock.Bot;
import dev.paddock.Paddock;
import dev.paddock.Settings;

/** A bot that plays any legal choice, each equally likely. */
public final class RandomBot implements Bot {
  @Override
  public int choose(Ask ask) {
    return ask.below(ask.legal().size());
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    String description = "A bot that plays any legal choice.";
    Paddock.main(new RandomBot(), description, new Settings().name("random"), arguments);
  }
}
