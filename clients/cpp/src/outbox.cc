// The outbox of a stream.
#include "outbox.h"

#include <thread>
#include <utility>

namespace paddock {

namespace {

constexpr int kMostItems = 256;                // of a frame
constexpr std::size_t kMostBytes = 48 * 1024;  // of a frame, which may have 64 KB

}  // namespace

void Outbox::put(v1::BotItem item) {
  {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }
  changed_.notify_one();
}

void Outbox::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

bool Outbox::next(v1::PlayRequest& frame) {
  frame.Clear();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_closed_ || !items_.empty(); });
  lock.unlock();
  std::this_thread::yield();  // others that are about to put something may: it leaves in this frame
  lock.lock();
  std::size_t bytes = 0;
  while (!items_.empty() && frame.items_size() < kMostItems) {
    bytes += items_.front().ByteSizeLong();
    if (bytes > kMostBytes && frame.items_size() > 0) break;
    *frame.add_items() = std::move(items_.front());
    items_.pop_front();
  }
  return frame.items_size() > 0;
}

std::shared_ptr<Outbox> Line::open() {
  const std::lock_guard lock(mutex_);
  outbox_ = std::make_shared<Outbox>();
  return outbox_;
}

void Line::put(v1::BotItem item) {
  const std::lock_guard lock(mutex_);
  if (outbox_) outbox_->put(std::move(item));
}

void Line::close() {
  const std::lock_guard lock(mutex_);
  if (outbox_) outbox_->close();
  outbox_.reset();
}

}  // namespace paddock
