// What greedy shares with careful.
#pragma once

#include "paddock/draftosaurus.h"

namespace paddock::draftosaurus {

// The number of the legal choice of this species.
std::size_t picked(const View& view, Species species);

}  // namespace paddock::draftosaurus
