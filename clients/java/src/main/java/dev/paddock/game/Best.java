package dev.paddock.game;

import java.util.List;
import java.util.function.ToLongFunction;

/** The best of a list. */
public final class Best {
  private Best() {}

  /** Returns what is worth most, the first of equals; the list is not empty. */
  public static <T> T of(List<T> list, ToLongFunction<T> worth) {
    T best = list.get(0);
    long most = worth.applyAsLong(best);
    for (T each : list.subList(1, list.size())) {
      long points = worth.applyAsLong(each);
      if (points > most) {
        best = each;
        most = points;
      }
    }
    return best;
  }
}
