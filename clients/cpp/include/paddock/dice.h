// The dice of a bot: random numbers that are common to the matches of a comparison's block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace paddock {

// The seed of a seat's own dice in a match, from the client's secret and MatchStarted.dice.
std::string match_seed(std::string_view secret, std::string_view dice, std::size_t seat);

// The random numbers of one decision; they are for one thread.
class Dice {
 public:
  // The dice of a decision: the n-th ask of a match that the client chose for, from 0.
  Dice(std::string_view match_seed, std::uint32_t decision);

  // A number from 0 to n - 1 that other languages draw alike: docs/sample-bots.md.
  std::size_t below(std::size_t n);

  // A generator of C++'s own, the same for as long as the decision lasts.
  std::mt19937_64& rng();

 private:
  std::uint32_t word();

  std::string seed_;
  std::uint64_t words_ = 0;  // of the stream, so far
  std::string block_;
  std::optional<std::mt19937_64> rng_;
};

}  // namespace paddock
