// Points by pen, for a whole table of zoos.
#include <algorithm>

#include "draftosaurus/material.h"

namespace paddock::draftosaurus {

namespace {

constexpr std::array<int, 7> kRow{0, 2, 4, 8, 12, 18, 24};
constexpr std::array<int, 7> kMeadow{0, 1, 3, 6, 10, 15, 21};
constexpr std::array<int, 7> kPyramid{0, 2, 4, 6, 10, 14, 21};

using Part = std::pair<const char*, int>;

// One point for every pen with a T-Rex: the river never, Quarantine where one may stay there.
int t_rex_bonus(const Zoo& zoo) {
  int bonus = 0;
  for (const Pen pen : pens(zoo.board())) {
    if (pen == Pen::River) continue;
    if (pen == Pen::Quarantine && !zoo.rules().quarantine_may_stay) continue;
    bonus += zoo.counts_in(pen)[index(Species::TRex)] > 0;
  }
  return bonus;
}

std::vector<Part> summer(const std::vector<Zoo>& zoos, std::size_t seat, const Zoo& zoo) {
  const Counts mine = zoo.counts();
  int king_points = 0;
  for (const Species king : zoo.inside(Pen::KingOfTheJungle)) {
    king_points = 7;
    for (std::size_t other = 0; other < zoos.size(); ++other) {
      if (other != seat && zoos[other].count(king) > mine[index(king)]) king_points = 0;
    }
  }
  int island_points = 0;
  for (const Species only : zoo.inside(Pen::SolitaryIsland)) {
    if (mine[index(only)] == 1) island_points = 7;
  }
  int couples = 0;
  for (const int count : zoo.counts_in(Pen::PrairieOfLove)) couples += count / 2;
  return {{"FOREST_OF_SAMENESS", kRow.at(zoo.size_of(Pen::ForestOfSameness))},
          {"WOODY_TRIO", zoo.size_of(Pen::WoodyTrio) == 3 ? 7 : 0},
          {"KING_OF_THE_JUNGLE", king_points},
          {"PRAIRIE_OF_LOVE", 5 * couples},
          {"MEADOW_OF_DIFFERENCES", kMeadow.at(zoo.size_of(Pen::MeadowOfDifferences))},
          {"SOLITARY_ISLAND", island_points}};
}

std::vector<Part> winter(const std::vector<Zoo>& zoos, std::size_t seat, const Zoo& zoo) {
  // On the right of seat i is seat i - 1.
  const Zoo& on_the_right = zoos[(seat + zoos.size() - 1) % zoos.size()];
  int seen = 0;
  for (const Species species : zoo.inside(Pen::Lookout)) seen += on_the_right.count(species);
  const Counts left = zoo.counts_in(Pen::LoversBridgeLeft);
  const Counts right = zoo.counts_in(Pen::LoversBridgeRight);
  int couples = 0;
  for (std::size_t at = 0; at < kSpecies; ++at) couples += std::min(left[at], right[at]);
  return {{"WELL_ORDERED_WOOD", kRow.at(zoo.size_of(Pen::WellOrderedWood))},
          {"LOOKOUT", 2 * seen},
          {"LOVERS_BRIDGE", 6 * couples},
          {"PYRAMID", kPyramid.at(zoo.size_of(Pen::Pyramid))}};
}

std::vector<Part> parts(const std::vector<Zoo>& zoos, std::size_t seat, const Zoo& zoo) {
  auto parts = zoo.board() == Board::Summer ? summer(zoos, seat, zoo) : winter(zoos, seat, zoo);
  parts.emplace_back("RIVER", static_cast<int>(zoo.size_of(Pen::River)));
  parts.emplace_back("T_REX_BONUS", t_rex_bonus(zoo));
  return parts;
}

}  // namespace

std::vector<Score> scores(const std::vector<Zoo>& zoos) {
  std::vector<Score> scores;
  for (std::size_t seat = 0; seat < zoos.size(); ++seat) {
    Score score;
    for (const auto& [part, points] : parts(zoos, seat, zoos[seat])) {
      score.total += points;
      score.parts[part] = points;
    }
    score.t_rexes = zoos[seat].count(Species::TRex);
    scores.push_back(std::move(score));
  }
  return scores;
}

int points(const std::vector<Zoo>& zoos, std::size_t seat, const Zoo& zoo) {
  int total = 0;
  for (const auto& [part, points] : parts(zoos, seat, zoo)) total += points;
  return total;
}

}  // namespace paddock::draftosaurus
