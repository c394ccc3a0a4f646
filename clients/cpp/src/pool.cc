// A pool of threads for the methods of a bot.
#include "pool.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "log.h"

namespace paddock {

struct Pool::State {
  std::mutex mutex;
  std::condition_variable called;  // there is work, or the pool is closed
  std::condition_variable idle;    // nothing is under way
  std::deque<std::function<void()>> work;
  unsigned size = 0;
  unsigned threads = 0;
  unsigned busy = 0;  // what is under way or waits
  bool is_closed = false;

  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      called.wait(lock, [this] { return is_closed || !work.empty(); });
      if (work.empty()) return;
      std::function<void()> call = std::move(work.front());
      work.pop_front();
      lock.unlock();
      call();
      call = nullptr;  // what it holds goes without the lock
      lock.lock();
      if (--busy == 0) idle.notify_all();
    }
  }
};

Pool::Pool(unsigned size) : state_(std::make_shared<State>()) { state_->size = size; }

Pool::~Pool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_closed = true;
  }
  state_->called.notify_all();
}

void Pool::run(std::function<void()> work) {
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->busy;
    state_->work.push_back(std::move(work));
    if (state_->busy > state_->threads && state_->threads < state_->size) {
      ++state_->threads;
      std::thread([state = state_] { state->serve(); }).detach();
    } else if (state_->busy > state_->size) {
      log::warning("threads busy: all ", state_->size, " are in use; does a choose never return?");
    }
  }
  state_->called.notify_one();  // all of them would wake for the work of one
}

bool Pool::wait_until_idle(std::chrono::milliseconds longest) {
  std::unique_lock lock(state_->mutex);
  return state_->idle.wait_for(lock, longest, [this] { return state_->busy == 0; });
}

}  // namespace paddock
