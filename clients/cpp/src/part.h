// The part of this client in a deal: its nonce, and the digests of the others.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "paddock/v1/arena.pb.h"

namespace paddock {

// This client's part in the deal of one match: its nonce, which it sends in one step or in two, and
// the digests of the others. The nonce is the same on every stream. It is opened only to a server
// that told the digests of all seats before, the same ones every time.
class Part {
 public:
  Part(std::string match_id, std::size_t seat);

  // The answer to MatchStarted; none: the digest was sent before, and is not wanted now.
  std::optional<v1::BotItem> begin(bool commit);
  // The answer to NonceCommitments; none: they are wrong, and the nonce stays secret.
  std::optional<v1::BotItem> told(const v1::NonceCommitments& message);
  // What is wrong with the nonces that the deal was made of; empty: nothing is.
  std::string wrong(const std::vector<std::string>& nonces);

 private:
  v1::BotItem open() const;

  const std::string match_id_;
  const std::size_t seat_;
  const std::string nonce_;

  std::mutex mutex_;                  // items come on one thread, and the end is told on another
  bool is_committed_ = false;         // whether the digest was sent
  std::vector<std::string> digests_;  // of all seats, as they were told first
};

}  // namespace paddock
