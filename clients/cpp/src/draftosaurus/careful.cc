// The careful player: it looks ahead, at what its pens still promise and at what it passes on.
#include <algorithm>
#include <functional>

#include "best.h"
#include "draftosaurus/greedy.h"
#include "draftosaurus/prospect.h"

namespace paddock::draftosaurus {

namespace {

// How much the own gain counts, beside what the next seat gains: of two players one wins what the
// other loses; of more, the next seat is only one of those to beat.
constexpr long long kOwn = 10;
constexpr long long kAgainstOne = 5;
constexpr long long kAgainstMore = 2;

// The value of the rest of a hand to the seat that gets it next.
class Passing {
 public:
  explicit Passing(const View& view) : view_(view) {
    const bool two = view.seats() == 2;
    const bool removing = view.phase == Phase::Remove;
    weight_ = two ? kAgainstOne : kAgainstMore;
    // Between placing and passing, a seat of two takes the best one out.
    taken_out_ = two && !removing ? 1 : 0;
    if (view.hand.size() <= 1 + taken_out_) return;
    const Prospect theirs(view, view.next_seat(), removing ? 1 : 0);
    const long long now = theirs.now();
    for (const Species species : view.species_in_hand()) {
      std::optional<long long> most;
      for (const Choice& place : theirs.zoo().placements({species})) {
        most = std::max(most.value_or(theirs.after(place)), theirs.after(place));
      }
      if (most) gains_[species] = *most - now;
    }
  }

  // How much the hand without one of this species, passed on, counts against a choice.
  long long cost_without(Species species) const {
    std::vector<long long> gains;
    bool left_out = false;
    for (const Species one : view_.hand) {
      const auto gain = gains_.find(one);
      if (gain == gains_.end()) continue;
      if (one == species && !left_out) {
        left_out = true;
      } else {
        gains.push_back(gain->second);
      }
    }
    std::sort(gains.begin(), gains.end(), std::greater<>());
    return gains.size() > taken_out_ ? weight_ * gains[taken_out_] : 0;
  }

 private:
  const View& view_;
  std::map<Species, long long> gains_;
  long long weight_ = 0;
  std::size_t taken_out_ = 0;
};

}  // namespace

std::size_t careful(const View& view) {
  if (view.phase == Phase::Move) return greedy(view);  // nothing comes after it: points are all
  if (view.phase == Phase::Remove) {
    const Passing passing(view);
    return best(view.legal,
                [&](const Choice& choice) { return -passing.cost_without(choice.species); });
  }
  const Prospect mine(view, view.seat, 0);
  if (!view.picks.empty()) {
    return best(view.legal, [&](const Choice& choice) { return mine.after(choice); });
  }
  const Passing passing(view);
  const auto worth = [&](const Choice& choice) {
    return kOwn * mine.after(choice) - passing.cost_without(choice.species);
  };
  if (view.phase == Phase::Pick) {
    const auto placements = view.placements();
    return picked(view, placements.at(best(placements, worth)).species);
  }
  return best(view.legal, worth);
}

}  // namespace paddock::draftosaurus
