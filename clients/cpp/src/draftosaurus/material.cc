// The material: names, and pens as printed.
#include "draftosaurus/material.h"

#include <initializer_list>

namespace paddock::draftosaurus {

namespace {

template <typename Word, std::size_t N>
std::string_view named(Word word, const std::array<std::string_view, N>& names) {
  return names.at(static_cast<std::size_t>(word) - 1);
}

constexpr std::array<std::string_view, kSpecies> kSpeciesNames{
    "T_REX", "DIPLODOCUS", "TRICERATOPS", "SPINOSAURUS", "STEGOSAURUS", "PARASAUROLOPHUS"};
constexpr std::array<std::string_view, 13> kPenNames{"FOREST_OF_SAMENESS",
                                                     "WOODY_TRIO",
                                                     "KING_OF_THE_JUNGLE",
                                                     "PRAIRIE_OF_LOVE",
                                                     "MEADOW_OF_DIFFERENCES",
                                                     "SOLITARY_ISLAND",
                                                     "WELL_ORDERED_WOOD",
                                                     "LOOKOUT",
                                                     "LOVERS_BRIDGE_LEFT",
                                                     "LOVERS_BRIDGE_RIGHT",
                                                     "PYRAMID",
                                                     "QUARANTINE",
                                                     "RIVER"};
constexpr std::array<std::string_view, 6> kFaceNames{"WOODLANDS",  "GRASSLANDS", "RESTROOMS",
                                                     "FOOD_COURT", "EMPTY_PEN",  "NO_T_REX"};
constexpr std::array<std::string_view, 2> kBoardNames{"SUMMER", "WINTER"};
constexpr std::array<std::string_view, 5> kPhaseNames{"PICK", "PLACE", "REMOVE", "MOVE", "OVER"};

constexpr std::array<Pen, kPlaces> kSummer{Pen::ForestOfSameness,
                                           Pen::WoodyTrio,
                                           Pen::KingOfTheJungle,
                                           Pen::PrairieOfLove,
                                           Pen::MeadowOfDifferences,
                                           Pen::SolitaryIsland,
                                           Pen::River};
constexpr std::array<Pen, kPlaces> kWinter{
    Pen::WellOrderedWood, Pen::Lookout, Pen::LoversBridgeLeft, Pen::LoversBridgeRight, Pen::Pyramid,
    Pen::Quarantine,      Pen::River};

}  // namespace

std::string_view name(Species species) { return named(species, kSpeciesNames); }
std::string_view name(Pen pen) { return named(pen, kPenNames); }
std::string_view name(Face face) { return named(face, kFaceNames); }
std::string_view name(Board board) { return named(board, kBoardNames); }
std::string_view name(Phase phase) { return named(phase, kPhaseNames); }

const std::array<Pen, kPlaces>& pens(Board board) {
  return board == Board::Summer ? kSummer : kWinter;
}

std::size_t place_of(Pen pen) {
  if (pen == Pen::River) return kPlaces - 1;
  return (static_cast<std::size_t>(pen) - 1) % (kPlaces - 1);
}

bool is_on(Pen pen, Board board) {
  if (pen == Pen::River) return true;
  return (pen <= Pen::SolitaryIsland) == (board == Board::Summer);
}

bool lies_in(Pen pen, Face face) {
  const auto is_one_of = [pen](std::initializer_list<Pen> pens) {
    for (const Pen one : pens) {
      if (one == pen) return true;
    }
    return false;
  };
  const bool woods = is_one_of({Pen::ForestOfSameness, Pen::WoodyTrio, Pen::KingOfTheJungle,
                                Pen::WellOrderedWood, Pen::Lookout, Pen::LoversBridgeLeft});
  const bool left = is_one_of({Pen::ForestOfSameness, Pen::WoodyTrio, Pen::PrairieOfLove,
                               Pen::WellOrderedWood, Pen::LoversBridgeLeft, Pen::Quarantine});
  switch (face) {
    case Face::Woodlands:
      return woods;
    case Face::Grasslands:
      return !woods;
    case Face::FoodCourt:
      return left;
    case Face::Restrooms:
      return !left;
    default:
      return false;
  }
}

std::string text(const Choice& choice) {
  std::string words(name(choice.kind));
  words.append(" ").append(name(choice.species));
  if (choice.pen) words.append(" in ").append(name(*choice.pen));
  if (choice.pen == Pen::Pyramid) words += " slot " + std::to_string(choice.slot);
  return words;
}

}  // namespace paddock::draftosaurus
