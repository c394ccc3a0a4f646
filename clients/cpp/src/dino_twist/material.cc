// The material: names, territories, cards and islands as printed.
#include <algorithm>

#include "paddock/dino_twist.h"

namespace paddock::dino_twist {

namespace {

template <typename Word, std::size_t N>
std::string_view named(Word word, const std::array<std::string_view, N>& names) {
  return names.at(static_cast<std::size_t>(word) - 1);
}

constexpr std::array<std::string_view, 4> kSpeciesNames{"AQUA", "KARNI", "HERBI", "VOLI"};
constexpr std::array<std::string_view, kTerritories> kTerritoryNames{
    "MOUNTAINS", "CLIFF", "JUNGLE", "DESERT", "RIVERSIDE", "HILL", "BEACH", "SEA"};
constexpr std::array<std::string_view, 10> kEventNames{
    "METEOR",  "FURY",       "VOLCANO", "NEVER_TWO_WITHOUT_THREE",
    "ALONE",   "EARTHQUAKE", "TORNADO", "NEW_GENERATIONS",
    "CARNAGE", "HELP"};
constexpr std::array<std::string_view, 4> kPhaseNames{"DISCARD", "PLAY", "ATTACK", "OVER"};
constexpr std::array<std::string_view, 4> kKindNames{"PLAY", "BURY", "ATTACK", "DISCARD"};

constexpr std::array<Territory, kTerritories> kAll{
    Territory::Mountains, Territory::Cliff, Territory::Jungle, Territory::Desert,
    Territory::Riverside, Territory::Hill,  Territory::Beach,  Territory::Sea};

std::size_t index(Territory territory) { return static_cast<std::size_t>(territory) - 1; }

}  // namespace

std::string_view name(Species species) { return named(species, kSpeciesNames); }
std::string_view name(Territory territory) { return named(territory, kTerritoryNames); }
std::string_view name(EventKind kind) { return named(kind, kEventNames); }
std::string_view name(Phase phase) { return named(phase, kPhaseNames); }
std::string_view name(Kind kind) { return named(kind, kKindNames); }

const std::array<Territory, kTerritories>& territories() { return kAll; }

std::array<Territory, 2> territories(Species species) {
  switch (species) {
    case Species::Aqua:
      return {Territory::Beach, Territory::Sea};
    case Species::Karni:
      return {Territory::Jungle, Territory::Desert};
    case Species::Herbi:
      return {Territory::Riverside, Territory::Hill};
    default:
      return {Territory::Mountains, Territory::Cliff};
  }
}

Species species(Territory territory) {
  if (territory <= Territory::Cliff) return Species::Voli;
  if (territory <= Territory::Desert) return Species::Karni;
  return territory <= Territory::Hill ? Species::Herbi : Species::Aqua;
}

int Event::bonus(Species species) const {
  if (kind == EventKind::Carnage) return 2;
  return kind == EventKind::Fury && this->species == species ? 3 : 0;
}

int Choice::strength() const {
  int strength = 0;
  for (const Card& card : cards) strength += card.strength;
  return strength;
}

std::optional<Card> Choice::stays() const {
  std::optional<Card> stays;
  for (const Card& card : cards) {
    if (card.species != species) continue;
    const bool weaker = !stays || card.strength < stays->strength;
    if (weaker || (card.strength == stays->strength && stays->claw && !card.claw)) stays = card;
  }
  return stays;
}

std::string text(const Card& card) {
  std::string words(name(card.species));
  return words + "-" + std::to_string(card.strength) + (card.claw ? "-CLAW" : "");
}

std::string text(const Choice& choice) {
  std::string words(name(choice.kind));
  if (choice.kind == Kind::Attack) {
    if (!choice.territory) return words + " nothing";
    words.append(" ").append(name(*choice.territory));
    if (!choice.settle) return words + " and discard what is beaten";
    return words.append(" and settle in ").append(name(*choice.settle));
  }
  bool mixed = false;
  for (const Card& card : choice.cards) {
    words += " " + text(card);
    mixed = mixed || (choice.species && card.species != choice.species);
  }
  if (mixed) words.append(" as ").append(name(*choice.species));
  if (choice.territory) words.append(" at ").append(name(*choice.territory));
  if (choice.face_down > 0) return words + " " + std::to_string(choice.face_down) + " face down";
  return choice.cards.empty() ? words + " nothing" : words;
}

const std::optional<Card>& Island::card(Territory territory) const {
  return cards_[index(territory)];
}

int Island::strength_on(Territory territory) const {
  return card(territory) ? card(territory)->strength : 0;
}

int Island::strength() const {
  int strength = 0;
  for (const auto& card : cards_) strength += card ? card->strength : 0;
  return strength;
}

int Island::claws() const {
  int claws = 0;
  for (const auto& card : cards_) claws += card && card->claw;
  return claws;
}

int Island::gaps() const {
  return static_cast<int>(std::count(cards_.begin(), cards_.end(), std::nullopt));
}

Island Island::with(Territory territory, const Card& card) const {
  Island island = *this;
  island.cards_[index(territory)] = card;
  return island;
}

}  // namespace paddock::dino_twist
