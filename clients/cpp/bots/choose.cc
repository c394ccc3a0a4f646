// The choices of the sample bots for recorded asks, to compare them between languages.
//
// Reads lines: `match SECRET BASE64(MatchStarted)` begins a match, `ask BASE64(Ask)` is an ask of
// it. Prints one line for every ask: the numbers that random, greedy and careful choose.
#include <openssl/evp.h>

#include <iostream>
#include <stdexcept>

#include "paddock/bots.h"
#include "reading.h"

namespace {

std::string from_base64(const std::string& text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) throw std::runtime_error("not base64: " + text);
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

template <typename Message>
Message decoded(const std::string& text) {
  Message message;
  if (!message.ParseFromString(from_base64(text))) throw std::runtime_error("not a message");
  return message;
}

}  // namespace

int main() {
  paddock::bots::Random random;
  paddock::bots::Greedy greedy;
  paddock::bots::Careful careful;
  std::shared_ptr<const paddock::Match> match;
  std::string seed;
  std::uint32_t decision = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::size_t end = line.rfind(' ');
    const std::string message = line.substr(end + 1);
    if (line.rfind("match ", 0) == 0 && end >= 6) {
      match = std::make_shared<paddock::Match>(
          paddock::read_match(decoded<paddock::v1::MatchStarted>(message)));
      seed = paddock::match_seed(line.substr(6, end - 6), match->dice, match->seat);
      decision = 0;
    } else if (line.rfind("ask ", 0) == 0 && match) {
      const auto ask = decoded<paddock::v1::Ask>(message);
      const char* space = "";
      for (paddock::Bot* bot : std::initializer_list<paddock::Bot*>{&random, &greedy, &careful}) {
        const auto dice = std::make_shared<paddock::Dice>(seed, decision);
        const auto answer = bot->choose(paddock::read_ask(ask, match, dice));
        std::cout << space << std::get<std::size_t>(answer.value);
        space = " ";
      }
      ++decision;
      std::cout << "\n";
    } else {
      std::cerr << "neither a match nor an ask of one: " << line << "\n";
      return 2;
    }
  }
  return 0;
}
