// From messages to the values that bots see.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "paddock/bot.h"
#include "paddock/v1/arena.pb.h"

namespace paddock {

// A message says something that this client does not know, or that can't be.
class Unreadable : public std::runtime_error {
 public:
  explicit Unreadable(const std::string& what) : std::runtime_error("unreadable: " + what) {}
};

// The word that a number of the contract stands for, of so many words; 0 stands for none.
template <typename Word>
std::optional<Word> optional_word(int number, int words) {
  if (number < 0 || number > words) throw Unreadable("word " + std::to_string(number));
  return number == 0 ? std::nullopt : std::optional(static_cast<Word>(number));
}

// The word that a number of the contract stands for, of so many words.
template <typename Word>
Word read_word(int number, int words) {
  const std::optional<Word> word = optional_word<Word>(number, words);
  if (!word) throw Unreadable("no word");
  return *word;
}

namespace draftosaurus {

Rules read_rules(const v1::DraftosaurusRules& sent);
Choice read_choice(const v1::DraftosaurusChoice& sent);
// The view without format, rules, seat and legal choices, of which the rules have to be there.
View read_view(const v1::DraftosaurusView& sent, const Rules& rules);
std::vector<std::vector<Score>> read_scores(const v1::DraftosaurusScores& sent);

}  // namespace draftosaurus

namespace dino_twist {

Rules read_rules(const v1::DinoTwistRules& sent);
Choice read_choice(const v1::DinoTwistChoice& sent);
// The view without format, rules, seat and legal choices.
View read_view(const v1::DinoTwistView& sent);
std::vector<Score> read_scores(const v1::DinoTwistScores& sent);

}  // namespace dino_twist

Match read_match(const v1::MatchStarted& message);
Choice read_choice(const v1::GameChoice& message);
Ask read_ask(const v1::Ask& message, std::shared_ptr<const Match> match,
             std::shared_ptr<Dice> dice);
Event read_event(const v1::Happened& message);
Summary read_summary(const v1::MatchEnded& message);

}  // namespace paddock
