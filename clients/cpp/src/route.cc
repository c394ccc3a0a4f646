// The route to a server.
#include "route.h"

#include <algorithm>

#include "log.h"
#include "paddock/paddock.h"

namespace paddock {

void Route::move_to(const std::string& server) {
  try {
    Address address = redirected(next(), server);
    log::info("address changed: the server moves this bot to ", address.target);
    const auto home = std::find(homes_.begin(), homes_.end(), address);
    at_ = static_cast<std::size_t>(home - homes_.begin());
    if (home == homes_.end()) moved_ = std::move(address);
  } catch (const BadSettings& problem) {
    log::warning("goodbye ignored: its address can't be used: ", problem.what());
  }
}

}  // namespace paddock
