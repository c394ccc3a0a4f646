// Pens as printed on the boards.
#pragma once

#include "paddock/draftosaurus.h"

namespace paddock::draftosaurus {

// The index of a pen on its board.
std::size_t place_of(Pen pen);
// Whether a pen is on a board.
bool is_on(Pen pen, Board board);
// Whether a pen, not the river, lies in the section or on the side of a face.
bool lies_in(Pen pen, Face face);

}  // namespace paddock::draftosaurus
