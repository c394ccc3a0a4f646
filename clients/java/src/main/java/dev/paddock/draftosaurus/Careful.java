package dev.paddock.draftosaurus;

import dev.paddock.game.Best;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The most points expected in the end: what pens promise, and what is passed on.
 * docs/sample-bots.md says to the last tie what is chosen.
 */
public final class Careful {
  private final DraftosaurusView view;
  private final int turns; // of this game that come after this one

  private Careful(DraftosaurusView view) {
    this.view = view;
    this.turns = 11 - view.turnsDone() % Zoo.SIZE;
  }

  /** Returns the number of the choice with the most points expected in the end. */
  public static int choose(DraftosaurusView view) {
    return new Careful(view).choose();
  }

  private int choose() {
    if (view.phase() == Phase.MOVE) {
      return Greedy.best(view, choice -> Greedy.afterMove(view, choice));
    }
    Map<Species, Long> costs = costs();
    if (view.phase() == Phase.REMOVE) {
      return best(choice -> -costs.getOrDefault(choice.species(), 0L));
    }
    Prospect mine = new Prospect(view, view.seat(), turns);
    if (!view.picks().isEmpty()) {
      return best(choice -> mine.after(choice.placement()));
    }
    ToLongFunction<Placement> worth =
        place -> 10 * mine.after(place) - costs.getOrDefault(place.species(), 0L);
    if (view.phase() == Phase.PICK) {
      return Greedy.numberOf(view, Best.of(Greedy.placements(view), worth).species());
    }
    return best(choice -> worth.applyAsLong(choice.placement()));
  }

  private int best(ToLongFunction<Choice> worth) {
    return Best.of(view.legal(), worth).number();
  }

  /**
   * Returns what it costs to pass on the hand without one dinosaur of a species; absent: nothing.
   */
  private Map<Species, Long> costs() {
    boolean two = view.seats() == 2;
    boolean removing = view.phase() == Phase.REMOVE;
    int skipped = two && !removing ? 1 : 0; // D14: the best one will be taken out
    Map<Species, Long> costs = new EnumMap<>(Species.class);
    if (view.hand().size() <= 1 + skipped || !view.picks().isEmpty()) {
      return costs;
    }
    Map<Species, Long> gains = gains(removing ? turns - 1 : turns);
    for (Species species : gains.keySet()) {
      List<Species> rest = new ArrayList<>(view.hand());
      rest.remove(species);
      List<Long> listed = rest.stream().map(gains::get).sorted(Comparator.reverseOrder()).toList();
      if (listed.size() > skipped) {
        costs.put(species, (two ? 5 : 2) * listed.get(skipped));
      }
    }
    return costs;
  }

  /** Returns what a dinosaur of each species of the hand would bring the next seat. */
  private Map<Species, Long> gains(int turns) {
    Prospect theirs = new Prospect(view, view.nextSeat(), turns);
    Zoo zoo = view.zoos().get(view.nextSeat());
    long now = theirs.worth(zoo);
    Map<Species, Long> gains = new EnumMap<>(Species.class);
    for (Species species : view.hand()) {
      gains.computeIfAbsent(
          species,
          each ->
              zoo.placements(view.board(), List.of(each), Face.NONE, view.rules()).stream()
                  .mapToLong(place -> theirs.after(place) - now)
                  .max()
                  .orElse(0));
    }
    return gains;
  }
}
