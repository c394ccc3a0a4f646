// Connections to the server: one stream after the other, until the bot stops or is refused.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "paddock/paddock.h"
#include "route.h"
#include "session.h"

namespace paddock {

// Play over as many streams as needed, until `stop` is set. Throws Refused if the server refuses
// the bot, and Unreachable when there was no connection for `give_up_after`.
void stay_connected(Route route, const std::string& token, Session& session, Stop& stop,
                    std::optional<std::chrono::milliseconds> give_up_after);

// The first word of a status message, where it is a reason such as auth/bad_token; else nothing.
std::string first_reason(const std::string& words);

}  // namespace paddock
