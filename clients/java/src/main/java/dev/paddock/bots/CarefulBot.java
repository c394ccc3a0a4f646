package dev.paddock.bots;

import dev.paddock.Ask;
import dev.paddock.Bot;
import dev.paddock.Paddock;
import dev.paddock.Settings;

/** A bot that considers later turns and what it leaves to others. */
public final class CarefulBot implements Bot {
  @Override
  public int choose(Ask ask) {
    return ask.byGame(
        dev.paddock.draftosaurus.Careful::choose, dev.paddock.dinotwist.Careful::choose);
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    String description = "A bot that considers later turns and what it leaves to others.";
    Paddock.main(new CarefulBot(), description, new Settings().name("searcher"), arguments);
  }
}
