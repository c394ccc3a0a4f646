// The best of several: the first of equals, as docs/sample-bots.md wants it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace paddock {

// The index of the item that is worth most; the first of equals. 0 where there is none.
template <typename Item, typename Worth>
std::size_t best(const std::vector<Item>& items, Worth worth) {
  std::size_t best = 0;
  std::optional<long long> most;
  for (std::size_t index = 0; index < items.size(); ++index) {
    const long long value = worth(items[index]);
    if (!most || value > *most) {
      best = index;
      most = value;
    }
  }
  return best;
}

}  // namespace paddock
