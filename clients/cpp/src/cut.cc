// Text that the wire takes.
#include "cut.h"

namespace paddock {

std::string cut(const std::string& text, std::size_t most) {
  std::string out;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size() && characters < most; ++characters) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    bool is_whole = length > 0 && at + length <= text.size();
    for (std::size_t next = 1; is_whole && next < length; ++next) {
      is_whole = (static_cast<unsigned char>(text[at + next]) & 0xc0) == 0x80;
    }
    out += is_whole ? text.substr(at, length) : "?";
    at += is_whole ? length : 1;
  }
  return out;
}

}  // namespace paddock
