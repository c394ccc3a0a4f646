// What an ask knows by itself, and the sample bots.
#include "paddock/bot.h"

#include "paddock/bots.h"

namespace paddock {

std::string text(const Choice& choice) {
  return std::visit([](const auto& own) { return text(own); }, choice);
}

std::size_t Ask::default_number() const {
  for (std::size_t number = 0; number < legal.size(); ++number) {
    const auto* choice = std::get_if<draftosaurus::Choice>(&legal[number]);
    if (choice != nullptr && choice->pen == draftosaurus::Pen::River) return number;
  }
  return 0;
}

namespace bots {

Answer Random::choose(const Ask& ask) { return ask.below(ask.legal.size()); }

Answer Greedy::choose(const Ask& ask) {
  return std::visit([](const auto& view) { return greedy(view); }, ask.view);
}

Answer Careful::choose(const Ask& ask) {
  return std::visit([](const auto& view) { return careful(view); }, ask.view);
}

}  // namespace bots

}  // namespace paddock
