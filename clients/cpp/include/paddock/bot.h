// A bot, what it is asked, and what it answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "paddock/dice.h"
#include "paddock/match.h"

namespace paddock {

// A decision for a bot: its view and its legal choices.
struct Ask {
  std::uint64_t id = 0;
  std::shared_ptr<const Match> match;
  View view;                  // what this seat knows
  std::vector<Choice> legal;  // what this seat may choose; never empty
  unsigned time_ms = 0;       // what this decision may take before the bank is used
  unsigned bank_ms = 0;       // what is left in the bank
  std::shared_ptr<Dice> dice;

  // A random number from 0 to n - 1 for this decision, the same in every language.
  std::size_t below(std::size_t n) const { return dice->below(n); }
  // A generator for this decision; with it `paddock compare` needs fewer matches.
  std::mt19937_64& rng() const { return dice->rng(); }
  // The number of the choice that the referee makes for a bot that does not answer.
  std::size_t default_number() const;
};

// The answer of a bot: a legal choice, or its number in `Ask::legal`.
struct Answer {
  Answer(std::size_t number) : value(number) {}
  Answer(int number) : value(static_cast<std::size_t>(number)) {}
  Answer(Choice choice) : value(std::move(choice)) {}
  Answer(draftosaurus::Choice choice) : value(Choice(choice)) {}
  Answer(dino_twist::Choice choice) : value(Choice(std::move(choice))) {}

  std::variant<std::size_t, Choice> value;
};

// A bot. Override `choose`, and any of the other methods.
//
// They are called in threads of their own, one for every match that is being played at once; what
// concerns one match is called in order, one call after the other.
class Bot {
 public:
  virtual ~Bot() = default;

  // One of `ask.legal`, or its number. Where this throws or returns anything else, the default is
  // played, and counted as a fallback.
  virtual Answer choose(const Ask& ask) = 0;

  virtual std::string name() const = 0;  // as the server knows it
  virtual std::string version() const { return "1"; }
  virtual std::string about() const { return "A bot of Paddock."; }  // for --help
  virtual std::vector<std::string> formats() const { return {}; }    // empty: all of the server
  virtual unsigned max_matches() const { return 8; }                 // at once

  virtual void started(const Match&) {}
  virtual void happened(const Match&, const Event&) {}
  virtual void ended(const Match&, const Summary&) {}
  virtual void refused(const Match&, const Refusal&) {}
};

}  // namespace paddock
