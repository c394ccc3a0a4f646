// The dice of a bot: random numbers that are common to the matches of a comparison's block.
#include "paddock/dice.h"

#include <stdexcept>
#include <vector>

#include "digest.h"

namespace paddock {

namespace {

// A number as so many bytes, the highest first.
std::string big_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text.push_back(static_cast<char>(number >> shift & 0xff));
  }
  return text;
}

// Four bytes as a number, the highest first.
std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t index = at; index < at + 4; ++index) {
    word = word << 8 | static_cast<unsigned char>(bytes[index]);
  }
  return word;
}

}  // namespace

std::string match_seed(std::string_view secret, std::string_view dice, std::size_t seat) {
  std::string bytes(secret);
  bytes.append(dice).push_back(static_cast<char>(seat));
  return sha256(bytes);
}

Dice::Dice(std::string_view match_seed, std::uint32_t decision)
    : seed_(sha256(std::string(match_seed) + big_endian(decision, 4))) {}

std::size_t Dice::below(std::size_t n) {
  constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
  if (n == 0 || n > kAll) throw std::invalid_argument("below: give a number from 1 to 2^32");
  const std::uint64_t limit = kAll - kAll % n;
  while (true) {
    const std::uint64_t word = this->word();
    if (word < limit) return word % n;
  }
}

std::mt19937_64& Dice::rng() {
  if (!rng_) {
    std::vector<std::uint32_t> words;
    for (std::size_t at = 0; at < seed_.size(); at += 4) words.push_back(word_at(seed_, at));
    std::seed_seq sequence(words.begin(), words.end());
    rng_.emplace(sequence);
  }
  return *rng_;
}

std::uint32_t Dice::word() {
  const std::size_t at = words_ % 8;
  if (at == 0) block_ = hmac_sha256(seed_, "paddock-deal-1" + big_endian(words_ / 8, 8));
  ++words_;
  return word_at(block_, 4 * at);
}

}  // namespace paddock
