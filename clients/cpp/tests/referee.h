// A referee that says what a test tells it to, on a real port of this machine.
#pragma once

#include <grpcpp/grpcpp.h>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "paddock/v1/arena.grpc.pb.h"

namespace paddock {

// One stream of a bot.
class Stream {
 public:
  using Wire = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;

  Stream(Wire& wire, std::string token) : token(std::move(token)), wire_(wire) {}

  // What the bot says next; without an item: it said all.
  v1::BotItem next();
  // Tell the bot all of this in one frame.
  void tell(const std::vector<v1::RefereeItem>& items);
  // Take Hello, and welcome the bot with a match.
  v1::Hello welcome();

  std::string token;

 private:
  Wire& wire_;
  std::deque<v1::BotItem> said_;
};

// What a referee does with a stream; the status ends it.
using Script = std::function<grpc::Status(Stream&)>;

// A referee with a script for every stream, one after the other.
class Referee : private v1::ArenaService::Service {
 public:
  // At a port of this machine, or at a socket's unix:PATH.
  explicit Referee(std::deque<Script> scripts, const std::string& socket = "");
  ~Referee() override;

  const std::string& address() const { return address_; }

 private:
  grpc::Status Play(grpc::ServerContext* context, Stream::Wire* wire) override;

  std::mutex mutex_;
  std::deque<Script> scripts_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

// The match of these tests: three seats of the summer board.
v1::RefereeItem started(bool commit_nonces = false);
// An ask with three legal choices, the last one into the river; asks of other turns differ.
v1::RefereeItem ask(std::uint64_t id, unsigned turn);
v1::RefereeItem ping(std::uint64_t id);
v1::RefereeItem goodbye(unsigned return_after_ms, const std::string& address = "");

}  // namespace paddock
