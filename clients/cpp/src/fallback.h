// Fallbacks: the default choice with a reason, where the bot itself did not choose.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include "paddock/bot.h"
#include "paddock/v1/arena.pb.h"

namespace paddock {

// `choose` returned something that is not a legal choice.
class NotLegal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The number of the legal choice that an answer stands for; throws NotLegal.
std::size_t number_of(const Ask& ask, const Answer& answer);

// An exception as text, such as "std::out_of_range: vector::_M_range_check", with what it is nested
// in; of NotLegal the words alone.
std::string described(const std::exception_ptr& error);

// The answer with the default, if its number is known, reported as a fallback for this reason.
v1::Choice fallback(std::uint64_t ask_id, std::optional<std::size_t> number,
                    const std::string& reason);

}  // namespace paddock
