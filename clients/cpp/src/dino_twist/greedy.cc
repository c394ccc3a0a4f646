// The greedy player: the best immediate points, if nobody gets in the way.
#include <algorithm>

#include "best.h"
#include "paddock/dino_twist.h"

namespace paddock::dino_twist {

namespace {

int points_won(const View& view, const Choice& choice) {
  switch (choice.kind) {
    case Kind::Bury:
      return view.buried(choice.cards.size());
    case Kind::Attack:
      return choice.territory ? view.won({*choice.territory, choice.settle}) : 0;
    case Kind::Play: {
      std::optional<int> most;
      for (const Way& way : view.ways(choice)) {
        const int won = view.won(way);
        most = std::max(most.value_or(won), won);
      }
      return most.value_or(0);
    }
    default:
      return 0;
  }
}

}  // namespace

std::size_t greedy(const View& view) {
  return best(view.legal, [&](const Choice& choice) { return points_won(view, choice); });
}

}  // namespace paddock::dino_twist
