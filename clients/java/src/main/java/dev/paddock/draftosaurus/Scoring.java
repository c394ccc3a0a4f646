package dev.paddock.draftosaurus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/** The points of zoos at a table (D19-D23). */
record Scoring(DraftosaurusView view) {
  private static final int[] ROW = {0, 2, 4, 8, 12, 18, 24}; // forest and wood
  private static final int[] MEADOW = {0, 1, 3, 6, 10, 15, 21};
  private static final int[] PYRAMID = {0, 2, 4, 6, 10, 14, 21};
  private static final int TRIO = 7;
  private static final int KING = 7;
  private static final int ISLAND = 7;
  private static final int PRAIRIE_COUPLE = 5;
  private static final int BRIDGE_COUPLE = 6;
  private static final int LOOKOUT = 2;
  private static final int SPECIES = Species.values().length;

  Score score(int seat, Zoo zoo) {
    Map<String, Integer> parts = new LinkedHashMap<>();
    tell(seat, zoo, parts::put);
    int total = parts.values().stream().mapToInt(Integer::intValue).sum();
    return new Score(total, parts, zoo.count(Species.T_REX));
  }

  int total(int seat, Zoo zoo) {
    int[] total = {0};
    tell(seat, zoo, (part, points) -> total[0] += points);
    return total[0];
  }

  /** Tells the points of a zoo part by part; every part of the board is told. */
  private void tell(int seat, Zoo zoo, ObjIntConsumer<String> part) {
    int bonus = 0;
    for (Pen pen : view.board().pens()) {
      switch (pen) {
        case LOVERS_BRIDGE_LEFT -> part.accept("LOVERS_BRIDGE", BRIDGE_COUPLE * couples(zoo));
        case LOVERS_BRIDGE_RIGHT, QUARANTINE -> {} // told with the left bank; worth nothing
        default -> part.accept(pen.name(), points(seat, zoo, pen));
      }
      boolean stays = pen != Pen.QUARANTINE || view.rules().quarantineMayStay(); // A1
      if (pen != Pen.RIVER && stays && zoo.in(pen).contains(Species.T_REX)) { // D23
        bonus++;
      }
    }
    part.accept("T_REX_BONUS", bonus);
  }

  private int points(int seat, Zoo zoo, Pen pen) {
    List<Species> inside = zoo.in(pen);
    if (inside.isEmpty()) {
      return 0;
    }
    Species first = inside.get(0);
    return switch (pen) {
      case FOREST_OF_SAMENESS, WELL_ORDERED_WOOD -> ROW[inside.size()];
      case WOODY_TRIO -> inside.size() == 3 ? TRIO : 0;
      case KING_OF_THE_JUNGLE -> zoo.count(first) >= view.mostOfOthers(seat, first) ? KING : 0;
      case PRAIRIE_OF_LOVE -> PRAIRIE_COUPLE * prairieCouples(inside);
      case MEADOW_OF_DIFFERENCES -> MEADOW[inside.size()];
      case SOLITARY_ISLAND -> zoo.count(first) == 1 ? ISLAND : 0;
      case LOOKOUT -> { // D5: on the right of a seat is the one with the next lower number
        int right = (seat + view.seats() - 1) % view.seats();
        yield LOOKOUT * view.zoos().get(right).count(first);
      }
      case PYRAMID -> PYRAMID[zoo.size(pen)];
      case RIVER -> inside.size();
      default -> 0;
    };
  }

  private static int prairieCouples(List<Species> inside) {
    int[] counts = new int[SPECIES];
    int couples = 0;
    for (Species species : inside) {
      if (++counts[species.ordinal()] % 2 == 0) {
        couples++;
      }
    }
    return couples;
  }

  /** Returns the couples of Lovers' Bridge, one member on each bank (D20). */
  private static int couples(Zoo zoo) {
    int[] left = new int[SPECIES];
    for (Species species : zoo.in(Pen.LOVERS_BRIDGE_LEFT)) {
      left[species.ordinal()]++;
    }
    int couples = 0;
    for (Species species : zoo.in(Pen.LOVERS_BRIDGE_RIGHT)) {
      if (left[species.ordinal()]-- > 0) {
        couples++;
      }
    }
    return couples;
  }
}
