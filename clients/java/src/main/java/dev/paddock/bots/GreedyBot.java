package dev.paddock.bots;

import dev.paddock.Ask;
import dev.paddock.Bot;
import dev.paddock.Paddock;
import dev.paddock.Settings;

/** A bot that takes the best immediate points. */
public final class GreedyBot implements Bot {
  @Override
  public int choose(Ask ask) {
    return ask.byGame(
        dev.paddock.draftosaurus.Greedy::choose, dev.paddock.dinotwist.Greedy::choose);
  }

  /** Runs it. */
  public static void main(String[] arguments) {
    String description = "A bot that takes the best immediate points.";
    Paddock.main(new GreedyBot(), description, new Settings().name("greedy"), arguments);
  }
}
