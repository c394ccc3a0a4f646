// The outbox: items that arrive while a frame leaves go together into the next frame.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include "paddock/v1/arena.pb.h"

namespace paddock {

// The items of one stream that are still to be sent, in order.
class Outbox {
 public:
  // Send this with the next frame.
  void put(v1::BotItem item);
  // End the frames when all items are sent.
  void close();
  // Wait for items and put them into the frame; false: closed, and all is sent.
  bool next(v1::PlayRequest& frame);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::BotItem> items_;
  bool is_closed_ = false;
};

// The way to the present stream; what is put there without a stream is dropped, because answers are
// sent when their asks are repeated.
class Line {
 public:
  // The outbox of a new stream.
  std::shared_ptr<Outbox> open();
  void put(v1::BotItem item);
  void close();

 private:
  std::mutex mutex_;
  std::shared_ptr<Outbox> outbox_;
};

}  // namespace paddock
