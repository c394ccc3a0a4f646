// Text that the wire takes.
#pragma once

#include <cstddef>
#include <string>

namespace paddock {

// At most so many characters of UTF-8, and nothing that is not UTF-8: the wire takes no other.
std::string cut(const std::string& text, std::size_t most);

}  // namespace paddock
