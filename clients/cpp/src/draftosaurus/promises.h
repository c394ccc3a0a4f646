// The tables of what pens promise: points that a zoo goes on to gain, by the states of its pens.
#pragma once

#include "paddock/draftosaurus.h"

namespace paddock::draftosaurus {

// With a share x of the turns to come, a pair (a, b) stands for x * (a + b * x), in tenths.
using Pair = std::pair<int, int>;

// The promise of a pen: by its state, and for every unit of plenty of what it wants.
struct Promise {
  std::vector<Pair> states;
  Pair plenty;
};

// What a pen promises where two play, or more; null: nothing.
const Promise* promise_of(Pen pen, bool two);

}  // namespace paddock::draftosaurus
