// A pool of threads for the methods of a bot.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace paddock {

// At most so many threads, started when they are needed. They are detached: a `choose` that never
// returns may cost its match, but must not keep the process from ending.
class Pool {
 public:
  explicit Pool(unsigned size);
  ~Pool();

  // Call this in one of the threads.
  void run(std::function<void()> work);
  // Wait for at most so long until nothing is under way; whether that came true.
  bool wait_until_idle(std::chrono::milliseconds longest);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace paddock
