// The route to a server: the addresses that the bot was started with, and where a Goodbye sent it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "address.h"

namespace paddock {

// The address of the next attempt to connect. As long as the bot is welcomed at an address it stays
// there; an attempt that fails sends it to the next one. A Goodbye may name one more.
class Route {
 public:
  // The route over these addresses, of which there is one at least.
  explicit Route(std::vector<Address> homes) : homes_(std::move(homes)) {}

  // Where to connect next.
  const Address& next() const { return at_ < homes_.size() ? homes_[at_] : *moved_; }
  // Use the address of a Goodbye next, unless it can't be used.
  void move_to(const std::string& server);
  // Try the next address, after the last one the first.
  void failed() { at_ = (at_ + 1) % (homes_.size() + (moved_ ? 1 : 0)); }

 private:
  std::vector<Address> homes_;
  std::optional<Address> moved_;
  std::size_t at_ = 0;
};

}  // namespace paddock
