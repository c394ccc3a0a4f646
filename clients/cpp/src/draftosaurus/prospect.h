// The prospect of a zoo: its points now, and what the states of its pens promise.
//
// All of it is counted in whole numbers, so that every language compares alike.
#pragma once

#include "paddock/draftosaurus.h"

namespace paddock::draftosaurus {

class Prospect {
 public:
  // The prospect of a seat's zoo with so many turns less to go.
  Prospect(const View& view, std::size_t seat, int fewer_turns);

  const Zoo& zoo() const { return view_.zoos[seat_]; }
  // Points and promise as the zoo stands, and after a placement.
  long long now() const { return worth(zoo()); }
  long long after(const Choice& place) const { return worth(zoo().plus(place)); }

 private:
  // The state that a pen is in, and the plenty of what it wants.
  struct State {
    std::size_t number = 0;
    long long plenty = 0;
  };

  long long worth(const Zoo& zoo) const;
  int in_quarantine(const Zoo& zoo) const;
  long long promised(const Zoo& zoo, Pen pen) const;
  State state(const Zoo& zoo, Pen pen) const;
  int ahead(const Zoo& zoo, Species king) const;

  const View& view_;
  std::size_t seat_;
  long long whole_ = 0;
  long long turns_ = 0;
  std::array<long long, kSpecies> plenty_{};
};

}  // namespace paddock::draftosaurus
