package dev.paddock.draftosaurus;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;

/** What a seat's zoo is worth, in parts of which 1210 * whole are one point. */
final class Prospect {
  private static final Species[] SPECIES = Species.values();
  private static final int[] IN_THE_BAG = {0, 0, 8, 6, 8, 10}; // of each species, by seats (D3)

  private final DraftosaurusView view;
  private final int seat;
  private final int turns;
  private final long whole;
  private final long[] plenty = new long[SPECIES.length];
  private final Map<Pen, Promise> promises;

  Prospect(DraftosaurusView view, int seat, int turns) {
    this.view = view;
    this.seat = seat;
    this.turns = turns;
    int[] left = new int[SPECIES.length];
    int sum = 0;
    for (int each = 1; each < SPECIES.length; each++) {
      Species species = SPECIES[each];
      left[each] = IN_THE_BAG[view.seats()] - Collections.frequency(view.removed(), species);
      left[each] -= view.zoos().stream().mapToInt(zoo -> zoo.count(species)).sum();
      sum += left[each];
    }
    whole = Math.max(1, sum);
    for (int each = 1; each < SPECIES.length; each++) {
      plenty[each] = 6 * left[each] - whole;
    }
    promises = Promise.of(view.board(), view.seats());
  }

  /** Returns the worth after a placement. */
  long after(Placement place) {
    return worth(view.zoos().get(seat).plus(place));
  }

  /** Returns the points of the zoo, the dinosaur in quarantine at its best, and the promises. */
  long worth(Zoo zoo) {
    long worth = 1210 * whole * pointsAtBest(zoo);
    for (Map.Entry<Pen, Promise> each : promises.entrySet()) {
      State state = state(zoo, each.getKey());
      int[] promised = each.getValue().states()[state.number()];
      int[] wanted = each.getValue().plenty();
      worth += whole * turns * (11 * promised[0] + turns * promised[1]);
      worth += state.plenty() * turns * (11 * wanted[0] + turns * wanted[1]);
    }
    return worth;
  }

  private int pointsAtBest(Zoo zoo) {
    List<Species> waiting = zoo.in(Pen.QUARANTINE);
    int now = view.points(seat, zoo);
    if (waiting.isEmpty()) {
      return now;
    }
    return zoo.placements(view.board(), waiting, Face.NONE, view.rules()).stream()
        .filter(place -> place.pen() != Pen.QUARANTINE)
        .mapToInt(place -> Greedy.pointsAfter(view, seat, zoo, place))
        .max()
        .orElse(now);
  }

  /** The state that a pen is in, and the plenty of what it wants. */
  private record State(int number, long plenty) {}

  private State state(Zoo zoo, Pen pen) {
    List<Species> inside = zoo.in(pen);
    int size = inside.size();
    if (size == 0 && pen != Pen.LOVERS_BRIDGE_LEFT) {
      return new State(0, 0);
    }
    return switch (pen) {
      case FOREST_OF_SAMENESS -> new State(size, size == 6 ? 0 : sum(inside.subList(0, 1)));
      case WOODY_TRIO, PYRAMID -> new State(zoo.size(pen), 0);
      case KING_OF_THE_JUNGLE -> {
        Species king = inside.get(0);
        int ahead = zoo.count(king) - view.mostOfOthers(seat, king);
        yield new State(3 + Math.max(-2, Math.min(3, ahead)), sum(inside));
      }
      case PRAIRIE_OF_LOVE -> apart(inside, List.of(), (here, there) -> here % 2, 4);
      case MEADOW_OF_DIFFERENCES -> new State(size, -sum(inside));
      case SOLITARY_ISLAND ->
          zoo.count(inside.get(0)) > 1 ? new State(2, 0) : new State(1, sum(inside));
      case LOVERS_BRIDGE_LEFT ->
          apart(inside, zoo.in(Pen.LOVERS_BRIDGE_RIGHT), (here, there) -> here - there, 5);
      default -> new State(size, sum(inside.subList(Math.max(0, size - 2), size))); // wood, lookout
    };
  }

  private long sum(List<Species> species) {
    return species.stream().mapToLong(each -> plenty[each.ordinal()]).sum();
  }

  /** Returns how many species wait for a partner, which is where `waits` is not 0. */
  private State apart(List<Species> here, List<Species> there, IntBinaryOperator waits, int most) {
    int count = 0;
    long wanted = 0;
    for (int each = 1; each < SPECIES.length; each++) {
      int inHere = Collections.frequency(here, SPECIES[each]);
      int inThere = Collections.frequency(there, SPECIES[each]);
      if (waits.applyAsInt(inHere, inThere) != 0) {
        count++;
        wanted += plenty[each];
      }
    }
    return new State(Math.min(most, count), wanted);
  }
}
