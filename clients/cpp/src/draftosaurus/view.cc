// A view of Draftosaurus: what a seat may do.
#include <algorithm>

#include "paddock/draftosaurus.h"

namespace paddock::draftosaurus {

std::map<Pen, std::vector<Choice>> View::legal_by_pen() const {
  std::map<Pen, std::vector<Choice>> by_pen;
  for (const Choice& choice : legal) {
    if (choice.pen) by_pen[*choice.pen].push_back(choice);
  }
  return by_pen;
}

std::vector<Species> View::species_in_hand() const {
  std::vector<Species> species = hand;
  species.erase(std::unique(species.begin(), species.end()), species.end());
  return species;
}

std::vector<Choice> View::placements() const {
  std::vector<Choice> placements = zoo().placements(species_in_hand());
  // A die that is held for the last turn of a round binds its holder, too.
  const bool held = rules.five_player_die_hold && seats() == 5 && turn == 5;
  if (die && (held || seat != roller)) {
    const auto is_closed = [this](const Choice& choice) {
      return !zoo().is_open(*choice.pen, *die);
    };
    std::erase_if(placements, is_closed);
  }
  return placements;
}

}  // namespace paddock::draftosaurus
