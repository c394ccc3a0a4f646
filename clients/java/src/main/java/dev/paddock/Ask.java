package dev.paddock;

import dev.paddock.dinotwist.DinoTwistView;
import dev.paddock.draftosaurus.DraftosaurusView;
import dev.paddock.game.GameChoice;
import dev.paddock.game.Unreadable;
import dev.paddock.game.View;
import java.time.Duration;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/**
 * A decision that the referee wants from a bot.
 *
 * @param id names the ask; compare it for equality only
 * @param match the match that it belongs to
 * @param view what this seat knows: a {@code DraftosaurusView} or a {@code DinoTwistView}
 * @param time for this decision before the bank is used
 * @param bank what is left in the bank
 * @param dice the random numbers of this decision
 */
public record Ask(long id, Match match, View view, Duration time, Duration bank, Dice dice) {
  /** The formats whose views this SDK can read. */
  public static final List<String> FORMATS =
      List.of(
          "summer",
          "winter",
          "two-player",
          "two-player-winter",
          "series",
          "two-player-series",
          "dino-twist",
          "dino-twist-small");

  /** Returns the legal choices, in a fixed order; never empty. */
  public List<? extends GameChoice> legal() {
    return view.legal();
  }

  /** Returns a random number from 0 to n - 1, the same in every language. */
  public int below(int n) {
    return (int) dice.below(n);
  }

  /** Returns random numbers for this decision; with them `paddock compare` needs fewer matches. */
  public RandomGenerator rng() {
    return dice.rng();
  }

  /** Returns what one of two functions chooses, depending on the game. */
  public int byGame(ToIntFunction<DraftosaurusView> first, ToIntFunction<DinoTwistView> second) {
    if (view instanceof DraftosaurusView draftosaurus) {
      return first.applyAsInt(draftosaurus);
    }
    return second.applyAsInt((DinoTwistView) view);
  }

  /** Returns the ask in a message; throws Unreadable for values that are unknown here. */
  public static Ask read(dev.paddock.v1.Ask sent, Match match, Dice dice) {
    if (sent.getChoicesCount() == 0) {
      throw new Unreadable("there is not a single legal choice");
    }
    int seats = match.seats().size();
    View view;
    if (match.rules() instanceof dev.paddock.draftosaurus.Rules rules) {
      view = dev.paddock.draftosaurus.Reading.view(sent, seats, rules, match.format());
    } else {
      dev.paddock.dinotwist.Rules rules = (dev.paddock.dinotwist.Rules) match.rules();
      view = dev.paddock.dinotwist.Reading.view(sent, seats, rules, match.format());
    }
    Duration time = Duration.ofMillis(Integer.toUnsignedLong(sent.getTimeMs()));
    Duration bank = Duration.ofMillis(Integer.toUnsignedLong(sent.getBankMs()));
    return new Ask(sent.getAskId(), match, view, time, bank, dice);
  }
}
