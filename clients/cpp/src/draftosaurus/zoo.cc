// A zoo: who may still enter its pens, and what it then becomes.
#include <algorithm>
#include <iterator>

#include "draftosaurus/material.h"

namespace paddock::draftosaurus {

namespace {

constexpr unsigned kSlots = 6;  // of the pyramid

// By slot of the pyramid: its row, and the slots that touch it.
struct Slot {
  int row;
  std::vector<unsigned> touching;
};

const std::array<Slot, kSlots>& pyramid() {
  static const std::array<Slot, kSlots> slots{{{0, {1, 3}},
                                               {0, {0, 2, 3, 4}},
                                               {0, {1, 4}},
                                               {1, {0, 1, 4, 5}},
                                               {1, {1, 2, 3, 5}},
                                               {2, {3, 4}}}};
  return slots;
}

bool pyramid_takes(const Stands& stands, Species species, unsigned slot) {
  const auto& slots = pyramid();
  if (slot >= kSlots || stands[slot]) return false;
  for (unsigned other = 0; other < kSlots; ++other) {
    // The lowest row that is not full is the open one.
    if (slots[other].row < slots[slot].row && !stands[other]) return false;
  }
  const auto& touching = slots[slot].touching;
  return std::none_of(touching.begin(), touching.end(),
                      [&](unsigned near) { return stands[near] == species; });
}

void count(const Stands& stands, Counts& counts) {
  for (const auto& one : stands) {
    if (one) ++counts[index(*one)];
  }
}

}  // namespace

Zoo::Zoo(Board board, const Rules& rules) : board_(board), rules_(rules) {
  if (board == Board::Winter) places_[place_of(Pen::Pyramid)].resize(kSlots);
}

const Stands& Zoo::pen(Pen pen) const {
  static const Stands nobody;
  if (!is_on(pen, board_)) return nobody;
  return places_[place_of(pen)];
}

std::vector<Species> Zoo::inside(Pen pen) const {
  std::vector<Species> inside;
  for (const auto& one : this->pen(pen)) {
    if (one) inside.push_back(*one);
  }
  return inside;
}

std::size_t Zoo::size_of(Pen pen) const { return inside(pen).size(); }

Counts Zoo::counts_in(Pen pen) const {
  Counts counts{};
  draftosaurus::count(this->pen(pen), counts);
  return counts;
}

Counts Zoo::counts() const {
  Counts counts{};
  for (const Stands& stands : places_) draftosaurus::count(stands, counts);
  return counts;
}

int Zoo::count(Species species) const { return counts()[index(species)]; }

bool Zoo::takes(Pen pen, Species species, unsigned slot) const {
  if (!is_on(pen, board_)) return false;
  const Stands& stands = this->pen(pen);
  if (pen == Pen::Pyramid) return pyramid_takes(stands, species, slot);
  if (slot != 0) return false;
  const std::size_t size = stands.size();
  const bool has = std::find(stands.begin(), stands.end(), species) != stands.end();
  switch (pen) {
    case Pen::ForestOfSameness:
      return size == 0 || (size < 6 && has);
    case Pen::WoodyTrio:
      return size < 3;
    case Pen::KingOfTheJungle:
    case Pen::SolitaryIsland:
    case Pen::Lookout:
    case Pen::Quarantine:
      return size < 1;
    case Pen::PrairieOfLove:
      return size < rules_.prairie_capacity.value_or(kZoo);
    case Pen::MeadowOfDifferences:
      return !has;
    case Pen::WellOrderedWood:
      return size < 2 ? !has : size < 6 && stands[size - 2] == species;
    default:
      return size < kZoo;
  }
}

bool Zoo::is_open(Pen pen, Face face) const {
  if (pen == Pen::River) return true;
  if (face == Face::EmptyPen) return size_of(pen) == 0;
  if (face == Face::NoTRex) return counts_in(pen)[index(Species::TRex)] == 0;
  return lies_in(pen, face);
}

std::vector<Choice> Zoo::placements(const std::vector<Species>& species) const {
  std::vector<Choice> choices;
  for (const Pen pen : pens(board_)) {
    for (unsigned slot = 0; slot < (pen == Pen::Pyramid ? kSlots : 1); ++slot) {
      for (const Species one : species) {
        if (takes(pen, one, slot)) choices.push_back({Phase::Place, one, pen, slot});
      }
    }
  }
  return choices;
}

Zoo Zoo::plus(const Choice& choice) const {
  Zoo zoo = *this;
  if (!choice.pen) return zoo;
  Stands& stands = zoo.places_[place_of(*choice.pen)];
  if (choice.pen == Pen::Pyramid) {
    stands.at(choice.slot) = choice.species;
  } else {
    stands.push_back(choice.species);
    if (choice.pen != Pen::WellOrderedWood) std::sort(stands.begin(), stands.end());
  }
  return zoo;
}

Zoo Zoo::moved(const Choice& choice) const {
  if (choice.pen == Pen::Quarantine) return *this;
  return plus(choice).with(Pen::Quarantine, {});
}

Zoo Zoo::with(Pen pen, Stands stands) const {
  Zoo zoo = *this;
  zoo.places_[place_of(pen)] = std::move(stands);
  return zoo;
}

}  // namespace paddock::draftosaurus
