// The tables of what pens promise. They were learned by simulation: docs/sample-bots.md.
#include "draftosaurus/promises.h"

namespace paddock::draftosaurus {

namespace {

struct Row {
  Pen pen;
  bool two;
  Promise promise;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> rows{
      {Pen::ForestOfSameness,
       false,
       {{{0, 0}, {-29, 34}, {-15, 37}, {-22, 49}, {-48, 21}, {-59, 18}, {-57, 18}}, {5, 13}}},
      {Pen::WoodyTrio, false, {{{0, 0}, {69, -44}, {195, -168}, {-15, 39}}, {0, 0}}},
      {Pen::KingOfTheJungle,
       false,
       {{{0, 0}, {-109, 64}, {-78, 80}, {-181, 126}, {-112, 65}, {-89, 55}, {-91, 71}}, {-18, 11}}},
      {Pen::PrairieOfLove,
       false,
       {{{0, 0}, {34, -10}, {22, 19}, {-27, -8}, {-35, -13}}, {23, -20}}},
      {Pen::MeadowOfDifferences,
       false,
       {{{0, 0}, {23, 0}, {46, -9}, {54, -11}, {39, -1}, {2, 5}, {-40, -17}}, {37, -55}}},
      {Pen::SolitaryIsland, false, {{{0, 0}, {-130, 72}, {-43, 39}}, {-92, 27}}},
      {Pen::WellOrderedWood,
       false,
       {{{0, 0}, {-3, 9}, {6, 13}, {6, 34}, {15, 39}, {-23, 32}, {-45, 28}}, {10, 8}}},
      {Pen::Lookout, false, {{{0, 0}, {-46, 59}}, {50, -9}}},
      {Pen::LoversBridgeLeft,
       false,
       {{{0, 0}, {56, -30}, {87, -31}, {55, 30}, {-9, 8}, {-17, 4}}, {34, -23}}},
      {Pen::Pyramid,
       false,
       {{{0, 0}, {2, 10}, {29, 2}, {100, -56}, {116, -88}, {155, -176}, {-20, -66}}, {0, 0}}},
      {Pen::ForestOfSameness,
       true,
       {{{0, 0}, {-31, 36}, {-23, 52}, {-30, 49}, {-57, 32}, {-65, 27}, {-65, 27}}, {10, 1}}},
      {Pen::WoodyTrio, true, {{{0, 0}, {53, -28}, {149, -99}, {7, 1}}, {0, 0}}},
      {Pen::KingOfTheJungle,
       true,
       {{{0, 0}, {-82, 23}, {-15, 37}, {-139, 77}, {-75, 16}, {-60, 12}, {-52, 8}}, {-21, 19}}},
      {Pen::PrairieOfLove, true, {{{0, 0}, {34, -13}, {18, 13}, {-37, -8}, {-42, -10}}, {25, -16}}},
      {Pen::MeadowOfDifferences,
       true,
       {{{0, 0}, {28, -11}, {48, -19}, {55, -27}, {32, -12}, {-22, 1}, {-68, -29}}, {42, -60}}},
      {Pen::SolitaryIsland, true, {{{0, 0}, {-133, 76}, {-49, 53}}, {-84, 25}}},
      {Pen::WellOrderedWood,
       true,
       {{{0, 0}, {-6, 4}, {-9, 8}, {3, 31}, {12, 38}, {-22, 32}, {-45, 28}}, {9, 16}}},
      {Pen::Lookout, true, {{{0, 0}, {-71, 76}}, {44, -18}}},
      {Pen::LoversBridgeLeft,
       true,
       {{{0, 0}, {36, -10}, {80, -40}, {68, 19}, {29, 25}, {-15, 5}}, {44, -26}}},
      {Pen::Pyramid,
       true,
       {{{0, 0}, {2, 13}, {38, -12}, {91, -69}, {100, -104}, {106, -204}, {-9, -62}}, {0, 0}}},
  };
  return rows;
}

}  // namespace

const Promise* promise_of(Pen pen, bool two) {
  for (const Row& row : rows()) {
    if (row.pen == pen && row.two == two) return &row.promise;
  }
  return nullptr;
}

}  // namespace paddock::draftosaurus
