package dev.paddock.dinotwist;

import dev.paddock.game.Best;
import java.util.function.ToLongFunction;

/** The best immediate points; docs/sample-bots.md says to the last tie what is chosen. */
public final class Greedy {
  private Greedy() {}

  /** Returns the number of the choice with the best immediate points, the first of equals. */
  public static int choose(DinoTwistView view) {
    return Best.of(view.legal(), choice -> worth(view, choice)).number();
  }

  private static long worth(DinoTwistView view, Choice choice) {
    return switch (choice.kind()) {
      case PLAY -> bestWay(view, choice, way -> won(view, way));
      case BURY -> 2L * buried(view, choice);
      case ATTACK -> won(view, new Way(choice.territory(), choice.settle()));
      default -> 0;
    };
  }

  /** Returns what the best way of a play is worth; 0 where there is none. */
  static long bestWay(DinoTwistView view, Choice play, ToLongFunction<Way> worth) {
    return view.ways(play).stream().mapToLong(worth).max().orElse(0);
  }

  /** Returns the strength that the own island wins on a way. */
  static int won(DinoTwistView view, Way way) {
    if (way.territory() == Territory.NOWHERE || way.settle() == Territory.NOWHERE) {
      return 0;
    }
    return view.twist().on(way.territory()).strength() - view.island().on(way.settle()).strength();
  }

  /** Returns how many entries a burial counts for (B4). */
  static int buried(DinoTwistView view, Choice bury) {
    return view.rules().graveyardPerCard() ? bury.cards().size() : 1;
  }
}
