package dev.paddock.draftosaurus;

import dev.paddock.game.Best;
import java.util.List;
import java.util.function.ToIntFunction;

/** The best immediate points; docs/sample-bots.md says to the last tie what is chosen. */
public final class Greedy {
  private Greedy() {}

  /** Returns the number of the choice with the best immediate points, the first of equals. */
  public static int choose(DraftosaurusView view) {
    ToIntFunction<Placement> placed = place -> pointsAfter(view, view.seat(), view.zoo(), place);
    return switch (view.phase()) {
      case REMOVE -> best(view, choice -> worthToNext(view, choice.species()));
      case MOVE -> best(view, choice -> afterMove(view, choice));
      case PICK -> numberOf(view, Best.of(placements(view), placed::applyAsInt).species());
      default -> best(view, choice -> placed.applyAsInt(choice.placement()));
    };
  }

  static int best(DraftosaurusView view, ToIntFunction<Choice> worth) {
    return Best.of(view.legal(), worth::applyAsInt).number();
  }

  /** Returns the placements of all dinosaurs of the hand, bound by the die. */
  static List<Placement> placements(DraftosaurusView view) {
    Face binding = view.binding(view.seat());
    return view.zoo().placements(view.board(), view.hand(), binding, view.rules());
  }

  /** Returns the number of the legal choice of a species. */
  static int numberOf(DraftosaurusView view, Species species) {
    return view.legal().stream()
        .filter(choice -> choice.species() == species)
        .mapToInt(Choice::number)
        .findFirst()
        .orElse(0);
  }

  static int afterMove(DraftosaurusView view, Choice move) {
    return view.points(view.seat(), view.zoo().moved(move.placement()));
  }

  static int pointsAfter(DraftosaurusView view, int seat, Zoo zoo, Placement place) {
    return view.points(seat, zoo.plus(place));
  }

  /** Returns the most points that the next seat could have with such a dinosaur. */
  private static int worthToNext(DraftosaurusView view, Species species) {
    int seat = view.nextSeat();
    Zoo zoo = view.zoos().get(seat);
    return zoo.placements(view.board(), List.of(species), Face.NONE, view.rules()).stream()
        .mapToInt(place -> pointsAfter(view, seat, zoo, place))
        .max()
        .orElse(0);
  }
}
