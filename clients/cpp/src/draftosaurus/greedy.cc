// The greedy player: the best immediate points.
#include "draftosaurus/greedy.h"

#include <algorithm>

#include "best.h"

namespace paddock::draftosaurus {

namespace {

// This seat's points after a placement or a move, if the others did nothing.
int points_after(const View& view, const Choice& choice) {
  const Zoo zoo = choice.kind == Phase::Move ? view.zoo().moved(choice) : view.zoo().plus(choice);
  return points(view.zoos, view.seat, zoo);
}

// The most that a dinosaur would bring the seat that gets this hand, whatever is rolled.
int worth_to_the_next(const View& view, Species species) {
  const Zoo& zoo = view.zoos[view.next_seat()];
  int most = 0;
  for (const Choice& place : zoo.placements({species})) {
    most = std::max(most, points(view.zoos, view.next_seat(), zoo.plus(place)));
  }
  return most;
}

}  // namespace

std::size_t picked(const View& view, Species species) {
  for (std::size_t number = 0; number < view.legal.size(); ++number) {
    if (view.legal[number].species == species) return number;
  }
  return 0;
}

std::size_t greedy(const View& view) {
  const auto after = [&](const Choice& choice) { return points_after(view, choice); };
  if (view.phase == Phase::Remove) {
    return best(view.legal,
                [&](const Choice& choice) { return worth_to_the_next(view, choice.species); });
  }
  if (view.phase == Phase::Pick) {
    const auto placements = view.placements();
    return picked(view, placements.at(best(placements, after)).species);
  }
  return best(view.legal, after);
}

}  // namespace paddock::draftosaurus
