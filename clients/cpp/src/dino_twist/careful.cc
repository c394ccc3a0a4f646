// The careful player: it looks at bonuses, at what it leaves to others, and at its hand.
// docs/sample-bots.md describes all of it, in whole numbers, so that every language chooses alike.
#include <algorithm>

#include "best.h"
#include "paddock/dino_twist.h"

namespace paddock::dino_twist {

namespace {

constexpr long long kPoint = 2520;  // parts, which 1 to 10 divide
constexpr long long kClaw = 2 * kPoint;
constexpr long long kLeftOver = 84;       // strength left on Twist Island, with each round to come
constexpr long long kCard = kPoint / 10;  // strength in the hand, with each round to come
constexpr long long kCardRounds = 2;
constexpr long long kAverage = 6;    // the strength of a card that is drawn
constexpr long long kLeastKept = 4;  // cards weaker than this are worth a new one
constexpr long long kEvents = 10;

// The sum of (strength - level) over cards.
long long over(const std::vector<Card>& cards, long long level) {
  long long sum = 0;
  for (const Card& card : cards) sum += card.strength - level;
  return sum;
}

// The prospect of a seat: what its choices are worth as the table stands.
class Prospect {
 public:
  explicit Prospect(const View& view)
      : view_(view), rounds_(kEvents - static_cast<long long>(view.events.size())) {
    const auto& taken = view.island_bonuses;
    const int gaps = view.island().gaps();
    if (gaps > rounds_ + 1) return;
    for (const unsigned bonus : {10u, 5u, 3u}) {
      if (std::find(taken.begin(), taken.end(), bonus) != taken.end()) continue;
      fill_ = bonus * kPoint / (gaps + 1);
      return;
    }
  }

  long long attack(const Choice& choice) const {
    const bool played = view_.seat < view_.plays.size() && view_.plays[view_.seat];
    if (!played || !choice.territory) return 0;
    return worth(*view_.plays[view_.seat], {*choice.territory, choice.settle});
  }

  long long play(const Choice& choice) const {
    const long long spent = kCard * std::min(kCardRounds, rounds_) * over(choice.cards, kAverage);
    if (choice.kind == Kind::Bury) return kPoint * view_.buried(choice.cards.size()) - spent;
    std::optional<long long> most;
    for (const Way& way : view_.ways(choice)) {
      const long long worth = this->worth(choice, way);
      most = std::max(most.value_or(worth), worth);
    }
    return most.value_or(0) - spent;
  }

 private:
  long long worth(const Choice& play, const Way& way) const {
    const auto claw = [](const std::optional<Card>& card) { return card && card->claw ? 1 : 0; };
    const std::optional<Card> stays = play.stays();
    const int strength = stays ? stays->strength : 0;
    long long worth = -kLeftOver * rounds_ * (strength - view_.twist.strength_on(way.territory));
    if (way.settle) {
      const std::optional<Card>& lived = view_.island().card(*way.settle);
      worth += kPoint * view_.won(way);
      worth += kClaw * (claw(view_.twist.card(way.territory)) - claw(lived));
      worth += lived ? 0 : fill_;
    }
    return worth;
  }

  const View& view_;
  long long rounds_;
  long long fill_ = 0;
};

}  // namespace

std::size_t careful(const View& view) {
  if (view.phase == Phase::Discard) {
    return best(view.legal, [](const Choice& choice) { return -over(choice.cards, kLeastKept); });
  }
  const Prospect prospect(view);
  const bool attacks = view.phase == Phase::Attack;
  return best(view.legal, [&](const Choice& choice) {
    return attacks ? prospect.attack(choice) : prospect.play(choice);
  });
}

}  // namespace paddock::dino_twist
