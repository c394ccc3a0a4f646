package dev.paddock.dinotwist;

import dev.paddock.game.Best;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The most points expected in the end: bonuses, what is left to others, and the hand.
 * docs/sample-bots.md says to the last tie what is chosen.
 */
public final class Careful {
  private static final int POINT = 2520; // parts, which 1 to 10 divide
  private static final int EVENTS = 10; // that show in a game

  private final DinoTwistView view;
  private final int rounds; // after this one
  private final int fill; // what filling a territory brings towards the island bonus

  private Careful(DinoTwistView view) {
    this.view = view;
    this.rounds = EVENTS - view.events().size();
    int gaps = view.island().gaps();
    this.fill = gaps <= rounds + 1 ? bonusLeft() * POINT / (gaps + 1) : 0;
  }

  /** Returns the number of the choice with the most points expected in the end. */
  public static int choose(DinoTwistView view) {
    return Best.of(view.legal(), new Careful(view)::worth).number();
  }

  private long worth(Choice choice) {
    return switch (choice.kind()) {
      case PLAY -> Greedy.bestWay(view, choice, way -> worth(choice, way)) - spent(choice);
      case BURY -> 2L * POINT * Greedy.buried(view, choice) - spent(choice);
      case ATTACK ->
          choice.territory() == Territory.NOWHERE
              ? 0
              : view.play()
                  .map(play -> worth(play, new Way(choice.territory(), choice.settle())))
                  .orElse(0L);
      default -> choice.cards().stream().mapToInt(card -> 4 - card.strength()).sum();
    };
  }

  /** Returns the highest island bonus that no seat has (T15). */
  private int bonusLeft() {
    return IntStream.of(10, 5, 3)
        .filter(bonus -> !view.islandBonuses().contains(bonus))
        .findFirst()
        .orElse(0);
  }

  /** Returns what the cards of a choice would be worth in the hand. */
  private long spent(Choice choice) {
    int sum = choice.cards().stream().mapToInt(card -> card.strength() - 6).sum();
    return (long) POINT / 10 * Math.min(2, rounds) * sum;
  }

  /** Returns what a way of a play is worth. */
  private long worth(Choice play, Way way) {
    Card beaten = view.twist().on(way.territory());
    long worth = -(long) POINT / 30 * rounds * (stays(play).strength() - beaten.strength());
    if (way.settle() == Territory.NOWHERE) {
      return worth;
    }
    Card there = view.island().on(way.settle());
    int claws = (beaten.claw() ? 1 : 0) - (there.claw() ? 1 : 0);
    worth += (long) POINT * (Greedy.won(view, way) + 2 * claws);
    return there.strength() == 0 ? worth + fill : worth;
  }

  /**
   * Returns the card of a play that stays on Twist Island: the weakest of the species that attacks;
   * of equals one without a claw.
   */
  private static Card stays(Choice play) {
    return play.cards().stream()
        .filter(card -> card.species() == play.species())
        .min(Comparator.comparingInt(Card::strength).thenComparing(Card::claw))
        .orElse(Card.NONE);
  }
}
