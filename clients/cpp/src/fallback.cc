// Fallbacks: the default choice with a reason.
#include "fallback.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>
#include <typeinfo>

#include "cut.h"

namespace paddock {

namespace {

constexpr std::size_t kMostCharacters = 200;  // the server cuts what is longer

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return name ? name.get() : type.name();
}

// The referee takes cards in any order.
dino_twist::Choice in_order(dino_twist::Choice choice) {
  std::sort(choice.cards.begin(), choice.cards.end(), [](const auto& one, const auto& other) {
    return std::tuple(one.species, one.strength, !one.claw) <
           std::tuple(other.species, other.strength, !other.claw);
  });
  return choice;
}

bool is_same(const Choice& one, const Choice& other) {
  const auto* cards = std::get_if<dino_twist::Choice>(&one);
  const auto* others = std::get_if<dino_twist::Choice>(&other);
  if (cards == nullptr || others == nullptr) return one == other;
  return in_order(*cards) == in_order(*others);
}

}  // namespace

std::size_t number_of(const Ask& ask, const Answer& answer) {
  if (const auto* number = std::get_if<std::size_t>(&answer.value)) {
    if (*number < ask.legal.size()) return *number;
    throw NotLegal("choose returned " + std::to_string(static_cast<long long>(*number)) +
                   ", which is not the number of one of " + std::to_string(ask.legal.size()) +
                   " legal choices");
  }
  const auto& choice = std::get<Choice>(answer.value);
  const auto found = std::find_if(ask.legal.begin(), ask.legal.end(),
                                  [&](const Choice& legal) { return is_same(legal, choice); });
  if (found == ask.legal.end()) {
    throw NotLegal("choose returned " + text(choice) + ", which is not one of ask.legal");
  }
  return static_cast<std::size_t>(found - ask.legal.begin());
}

std::string described(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const NotLegal& problem) {
    return problem.what();
  } catch (const std::exception& problem) {
    std::string words = type_name(typeid(problem)) + ": " + problem.what();
    try {
      std::rethrow_if_nested(problem);
    } catch (...) {
      words += "; because of " + described(std::current_exception());
    }
    return words;
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return type == nullptr ? "an unknown exception" : "a thrown " + type_name(*type);
  }
}

v1::Choice fallback(std::uint64_t ask_id, std::optional<std::size_t> number,
                    const std::string& reason) {
  v1::Choice choice;
  choice.set_ask_id(ask_id);
  if (number) choice.set_number(static_cast<std::uint32_t>(*number));
  choice.set_fallback(cut(reason, kMostCharacters));
  return choice;
}

}  // namespace paddock
