// The wait before the next attempt to connect.
#pragma once

#include <algorithm>
#include <chrono>
#include <random>

namespace paddock {

inline constexpr std::chrono::milliseconds kLongestWait{10'000};

// Waits that double up to ten seconds, with full jitter, so that the bots of a server that went
// away do not all come back at the same moment.
class Backoff {
 public:
  explicit Backoff(std::mt19937_64 rng) : rng_(rng) {}

  // How long to wait now, in addition to what the server asked for.
  std::chrono::milliseconds next(std::chrono::milliseconds at_least) {
    const std::chrono::milliseconds doubled(100LL << std::min(failures_, 20));
    ++failures_;
    std::uniform_int_distribution<long long> jitter(0, std::min(doubled, kLongestWait).count());
    return at_least + std::chrono::milliseconds(jitter(rng_));
  }

  // Begin with short waits again, after a connection that lasted.
  void reset() { failures_ = 0; }

 private:
  std::mt19937_64 rng_;
  int failures_ = 0;
};

}  // namespace paddock
