// Digests and random bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paddock {

std::string sha256(std::string_view bytes);
std::string hmac_sha256(std::string_view key, std::string_view bytes);
// Random bytes that nobody can foretell.
std::string random_bytes(std::size_t count);

}  // namespace paddock
