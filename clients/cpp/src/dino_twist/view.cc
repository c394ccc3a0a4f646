// A view of Dino Twist: what a seat may do, and how the table stands.
#include <algorithm>

#include "paddock/dino_twist.h"

namespace paddock::dino_twist {

namespace {

constexpr int kGraveyard = 2;
constexpr int kClawBonus = 7;

// Where a Dino that is beaten on a territory may settle.
std::vector<Territory> settles(const View& view, Territory territory) {
  if (view.is_small(view.seat)) return {territories().begin(), territories().end()};
  if (view.event.kind == EventKind::Earthquake) {
    const auto both = territories(species(territory));
    return {both.begin(), both.end()};
  }
  return {territory};
}

}  // namespace

std::vector<Score> View::scores() const {
  int most = 0;
  for (const Island& island : islands) most = std::max(most, island.claws());
  std::vector<Score> scores;
  for (std::size_t seat = 0; seat < islands.size(); ++seat) {
    Score score;
    score.claws = islands[seat].claws();
    score.parts["ISLAND"] = islands[seat].strength();
    int& graves = score.parts["GRAVEYARD"];
    if (seat < graveyards.size()) {
      for (const auto& entry : graveyards[seat]) graves += buried(entry.size());
    }
    score.parts["ISLAND_BONUS"] =
        seat < island_bonuses.size() ? static_cast<int>(island_bonuses[seat]) : 0;
    score.parts["CLAW_BONUS"] = score.claws == most && most > 0 ? kClawBonus : 0;
    for (const auto& [part, points] : score.parts) score.total += points;
    scores.push_back(std::move(score));
  }
  return scores;
}

std::map<Kind, std::vector<Choice>> View::legal_by_kind() const {
  std::map<Kind, std::vector<Choice>> by_kind;
  for (const Choice& choice : legal) by_kind[choice.kind].push_back(choice);
  return by_kind;
}

bool View::is_small(std::size_t seat) const {
  if (format == "dino-twist-small") return true;
  return rules.small_seats.find(std::to_string(seat)) != std::string::npos;
}

int View::buried(std::size_t cards) const {
  return kGraveyard * (rules.graveyard_per_card ? static_cast<int>(cards) : 1);
}

std::vector<Territory> View::targets(const Choice& play) const {
  std::vector<Territory> targets;
  if (!play.species) return targets;
  const int total = play.strength() + event.bonus(*play.species);
  for (const Territory place : territories(*play.species)) {
    if (rules.attack_with_play && play.territory != place) continue;
    const bool has_fallen = event.kind == EventKind::Meteor && event.territory == place;
    if (twist.strength_on(place) < total && !has_fallen) targets.push_back(place);
  }
  return targets;
}

std::vector<Way> View::ways(const Choice& play) const {
  std::vector<Way> ways;
  for (const Territory territory : targets(play)) {
    bool has_gap = false;
    for (const Territory place : settles(*this, territory)) {
      ways.push_back({territory, place});
      has_gap = has_gap || !island().card(place);
    }
    const bool bound = has_gap && !rules.need_not_settle();
    if (!bound && !rules.must_settle) ways.push_back({territory, std::nullopt});
  }
  return ways;
}

int View::won(const Way& way) const {
  if (!way.settle) return 0;
  return twist.strength_on(way.territory) - island().strength_on(*way.settle);
}

}  // namespace paddock::dino_twist
