package dev.paddock.draftosaurus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Who stands where in a seat's zoo, by pen. A zoo never changes. */
public final class Zoo {
  static final int SIZE = 12; // D12
  static final int PYRAMID_SLOTS = 6;

  private static final Species[] SPECIES = Species.values();
  private static final Pen[] PENS = Pen.values();

  // D21: the rows of the pyramid; D22: the slots that touch each slot.
  private static final int[][] ROWS = {{0, 1, 2}, {3, 4}, {5}};
  private static final int[][] TOUCHES = {
    {1, 3}, {0, 2, 3, 4}, {1, 4}, {0, 1, 4, 5}, {1, 2, 3, 5}, {3, 4}
  };

  private final List<List<Species>> pens;
  private final int[] counts = new int[SPECIES.length];

  private Zoo(List<List<Species>> pens) {
    this.pens = pens;
    for (List<Species> inside : pens) {
      for (Species species : inside) {
        counts[species.ordinal()]++;
      }
    }
    counts[Species.NONE.ordinal()] = 0;
  }

  /** Returns the zoo with these dinosaurs; a pen that is left out is empty. */
  public static Zoo of(Map<Pen, List<Species>> contents) {
    Map<Pen, List<Species>> given = new EnumMap<>(Pen.class);
    given.putAll(contents);
    List<List<Species>> pens = new ArrayList<>(PENS.length);
    for (Pen pen : PENS) {
      pens.add(List.copyOf(given.getOrDefault(pen, List.of())));
    }
    return new Zoo(pens);
  }

  /**
   * Returns who stands in the pen: in the pyramid by slot, NONE where it is free; in the
   * well-ordered wood from left to right; elsewhere in the order of the species.
   */
  public List<Species> in(Pen pen) {
    return pens.get(pen.ordinal());
  }

  /** Returns how many of the species are in the zoo, the river included (D19). */
  public int count(Species species) {
    return counts[species.ordinal()];
  }

  /** Returns how many dinosaurs stand in the pen. */
  public int size(Pen pen) {
    List<Species> inside = in(pen);
    return inside.size() - Collections.frequency(inside, Species.NONE);
  }

  /** Returns the zoo after a placement that the pen allows. */
  public Zoo plus(Placement place) {
    List<Species> inside = new ArrayList<>(in(place.pen()));
    if (place.pen() == Pen.PYRAMID) {
      while (inside.size() < PYRAMID_SLOTS) {
        inside.add(Species.NONE);
      }
      inside.set(place.slot(), place.species());
    } else {
      int at = inside.size();
      while (place.pen() != Pen.WELL_ORDERED_WOOD
          && at > 0
          && inside.get(at - 1).compareTo(place.species()) > 0) {
        at--;
      }
      inside.add(at, place.species());
    }
    return with(place.pen(), inside);
  }

  /** Returns the zoo after the dinosaur in quarantine moved (D25); to QUARANTINE: it stays. */
  public Zoo moved(Placement move) {
    return move.pen() == Pen.QUARANTINE ? this : plus(move).with(Pen.QUARANTINE, List.of());
  }

  private Zoo with(Pen pen, List<Species> inside) {
    List<List<Species>> after = new ArrayList<>(pens);
    after.set(pen.ordinal(), Collections.unmodifiableList(inside));
    return new Zoo(after);
  }

  /** Tells whether the pen's own rules let the dinosaur in. */
  public boolean takes(Placement place, Rules rules) {
    Species species = place.species();
    List<Species> inside = in(place.pen());
    int size = inside.size();
    if (place.pen() == Pen.PYRAMID) {
      return pyramidTakes(species, place.slot());
    }
    boolean bounded = place.pen() == Pen.PRAIRIE_OF_LOVE && rules.prairieCapacity() > 0; // A3
    int holds = bounded ? rules.prairieCapacity() : place.pen().holds();
    if (place.slot() != 0 || size >= holds) {
      return false;
    }
    return switch (place.pen()) {
      case FOREST_OF_SAMENESS -> size == 0 || inside.get(0) == species;
      case MEADOW_OF_DIFFERENCES -> !inside.contains(species);
      case WELL_ORDERED_WOOD ->
          size < 2 ? !inside.contains(species) : inside.get(size - 2) == species;
      default -> true;
    };
  }

  private boolean pyramidTakes(Species species, int slot) {
    List<Species> inside = in(Pen.PYRAMID);
    if (inside.isEmpty()) {
      return Arrays.stream(ROWS[0]).anyMatch(each -> each == slot);
    }
    for (int[] row : ROWS) { // D21: the lowest row that is not full is the open one
      if (Arrays.stream(row).anyMatch(each -> inside.get(each) == Species.NONE)) {
        return Arrays.stream(row).anyMatch(each -> each == slot)
            && inside.get(slot) == Species.NONE
            && Arrays.stream(TOUCHES[slot]).noneMatch(each -> inside.get(each) == species);
      }
    }
    return false;
  }

  /** Tells whether the face of the die lets a seat that it binds use the pen. */
  public boolean allows(Pen pen, Face die) {
    if (pen == Pen.RIVER) {
      return true;
    }
    return switch (die) {
      case NONE -> true;
      case EMPTY_PEN -> size(pen) == 0;
      case NO_T_REX -> !in(pen).contains(Species.T_REX);
      default -> pen.liesIn(die);
    };
  }

  /**
   * Returns where dinosaurs of these species may go: pen by pen, the river last, within a pen by
   * slot, then by species. With the face NONE only the pens' own rules count.
   */
  public List<Placement> placements(
      Board board, Collection<Species> species, Face die, Rules rules) {
    List<Placement> places = new ArrayList<>();
    for (Pen pen : board.pens()) {
      if (!allows(pen, die)) {
        continue;
      }
      int slots = pen == Pen.PYRAMID ? PYRAMID_SLOTS : 1;
      for (int slot = 0; slot < slots; slot++) {
        for (Species each : SPECIES) {
          Placement place = new Placement(each, pen, slot);
          if (each != Species.NONE && species.contains(each) && takes(place, rules)) {
            places.add(place);
          }
        }
      }
    }
    return places;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Zoo zoo && pens.equals(zoo.pens);
  }

  @Override
  public int hashCode() {
    return pens.hashCode();
  }

  @Override
  public String toString() {
    Map<Pen, List<Species>> filled = new EnumMap<>(Pen.class);
    for (Pen pen : PENS) {
      if (!in(pen).isEmpty()) {
        filled.put(pen, in(pen));
      }
    }
    return filled.toString();
  }
}
