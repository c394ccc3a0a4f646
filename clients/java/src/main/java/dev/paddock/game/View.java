package dev.paddock.game;

import java.util.List;

/**
 * What a seat knows: a {@code DraftosaurusView} or a {@code DinoTwistView}.
 *
 * <pre>{@code
 * if (ask.view() instanceof DraftosaurusView view) { ... }
 * }</pre>
 */
public interface View {
  /** Returns which seat is this bot's. */
  int seat();

  /** Returns how many play. */
  int seats();

  /** Returns what this seat may choose, in a fixed order; never empty. */
  List<? extends GameChoice> legal();

  /** Returns the number of what the referee would choose. */
  int defaultChoice();
}
