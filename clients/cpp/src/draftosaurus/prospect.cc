// The prospect of a zoo: its points now, and what the states of its pens promise.
#include "draftosaurus/prospect.h"

#include <algorithm>

#include "draftosaurus/promises.h"

namespace paddock::draftosaurus {

namespace {

constexpr long long kTurns = kZoo - 1;  // to come after the first
constexpr long long kScale = 10 * kTurns * kTurns;

}  // namespace

Prospect::Prospect(const View& view, std::size_t seat, int fewer_turns) : view_(view), seat_(seat) {
  const long long in_the_bag = view.seats() == 3 ? 6 : view.seats() == 5 ? 10 : 8;
  std::array<long long, kSpecies> left{};
  left.fill(in_the_bag);
  for (const Zoo& zoo : view.zoos) {
    const Counts counts = zoo.counts();
    for (std::size_t at = 0; at < kSpecies; ++at) left[at] -= counts[at];
  }
  for (const Species species : view.removed) --left[index(species)];
  for (const long long some : left) whole_ += some;
  whole_ = std::max(1LL, whole_);
  for (std::size_t at = 0; at < kSpecies; ++at) plenty_[at] = 6 * left[at] - whole_;
  turns_ = kTurns - view.turns_done % kZoo - fewer_turns;
}

long long Prospect::worth(const Zoo& zoo) const {
  long long promise = 0;
  for (const Pen pen : pens(zoo.board())) promise += promised(zoo, pen);
  return kScale * whole_ * (points(view_.zoos, seat_, zoo) + in_quarantine(zoo)) + promise;
}

// What the dinosaur in quarantine brings where it brings most.
int Prospect::in_quarantine(const Zoo& zoo) const {
  int best = 0;
  for (const Species species : zoo.inside(Pen::Quarantine)) {
    const int now = points(view_.zoos, seat_, zoo);
    for (const Choice& place : zoo.placements({species})) {
      best = std::max(best, points(view_.zoos, seat_, zoo.plus(place)) - now);
    }
  }
  return best;
}

long long Prospect::promised(const Zoo& zoo, Pen pen) const {
  const Promise* promise = promise_of(pen, view_.seats() == 2);
  if (promise == nullptr) return 0;
  const State state = this->state(zoo, pen);
  const auto share = [this](const Pair& pair) {
    return turns_ * (kTurns * pair.first + turns_ * pair.second);
  };
  return whole_ * share(promise->states.at(state.number)) + state.plenty * share(promise->plenty);
}

Prospect::State Prospect::state(const Zoo& zoo, Pen pen) const {
  const std::vector<Species> inside = zoo.inside(pen);
  State state{inside.size(), 0};
  const auto plenty = [this](Species species) { return plenty_[index(species)]; };
  switch (pen) {
    case Pen::ForestOfSameness:
      if (!inside.empty() && inside.size() < 6) state.plenty = plenty(inside[0]);
      return state;
    case Pen::KingOfTheJungle:
      if (inside.empty()) return state;
      return {static_cast<std::size_t>(3 + std::clamp(ahead(zoo, inside[0]), -2, 3)),
              plenty(inside[0])};
    case Pen::PrairieOfLove: {
      const Counts counts = zoo.counts_in(pen);
      state.number = 0;
      for (std::size_t at = 0; at < kSpecies; ++at) {
        if (counts[at] % 2 == 0) continue;
        state.number = std::min<std::size_t>(4, state.number + 1);
        state.plenty += plenty_[at];
      }
      return state;
    }
    case Pen::MeadowOfDifferences:
      for (const Species species : inside) state.plenty -= plenty(species);
      return state;
    case Pen::SolitaryIsland:
      if (inside.empty()) return state;
      if (zoo.count(inside[0]) > 1) return {2, 0};
      return {1, plenty(inside[0])};
    case Pen::WellOrderedWood:
    case Pen::Lookout:
      for (std::size_t back = 1; back <= std::min<std::size_t>(2, inside.size()); ++back) {
        state.plenty += plenty(inside[inside.size() - back]);
      }
      return state;
    case Pen::LoversBridgeLeft: {
      const Counts left = zoo.counts_in(pen);
      const Counts right = zoo.counts_in(Pen::LoversBridgeRight);
      state.number = 0;
      for (std::size_t at = 0; at < kSpecies; ++at) {
        if (left[at] == right[at]) continue;
        state.number = std::min<std::size_t>(5, state.number + 1);
        state.plenty += plenty_[at];
      }
      return state;
    }
    default:
      return state;
  }
}

// By how many of this species the zoo is ahead of the other that has most.
int Prospect::ahead(const Zoo& zoo, Species king) const {
  int most = 0;
  for (std::size_t other = 0; other < view_.zoos.size(); ++other) {
    if (other != seat_) most = std::max(most, view_.zoos[other].count(king));
  }
  return zoo.count(king) - most;
}

}  // namespace paddock::draftosaurus
