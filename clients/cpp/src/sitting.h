// A sitting: one match of a bot; its methods are called in order, and each ask is answered once.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "outbox.h"
#include "paddock/bot.h"
#include "part.h"
#include "pool.h"

namespace paddock {

// What all matches of a bot share; a choose that does not return in time still needs it.
struct House {
  Bot& bot;
  std::shared_ptr<Pool> pool;
  std::shared_ptr<Line> line;
};

// This bot's seat in one match, from MatchStarted to MatchEnded, over any number of streams.
class Sitting : public std::enable_shared_from_this<Sitting> {
 public:
  Sitting(const House& house, Match match, std::string seed);

  // Tell the bot that the match begins.
  void begin();
  // Send the nonce of this seat, or its digest; it is the same on every stream.
  void send_nonce(bool commit);
  // Open the nonce of this seat, if the digests are those that it is bound with.
  void open_nonce(const v1::NonceCommitments& told);
  // Answer an ask, or repeat its answer; a choice under way goes on. An ask with another view is
  // another ask, even if it has the same id.
  void ask(const v1::Ask& message);
  // Whether this ask, a recent one, belongs to this match.
  bool asked(std::uint64_t ask_id);
  // Tell the bot what happened, and log the faults of this seat.
  void happened(const v1::Happened& message);
  // Tell the bot that an answer did not count.
  void refused(const Refusal& refusal);
  // Tell the bot that the match is over; open choices no longer matter.
  void end(const v1::MatchEnded& message);
  // Call no other method of the bot after the present one.
  void stop();

 private:
  // An ask that the bot was shown, and its answer; none while the bot chooses.
  struct Asked {
    std::uint64_t id;
    std::string view;
    std::optional<v1::Choice> answer;
  };

  void queue(std::function<void()> job);
  void work();
  void choose(const v1::Ask& message, const std::shared_ptr<Asked>& asked);
  v1::Choice chosen(const v1::Ask& message, const std::string& place);
  void tell(const char* hook, const std::function<void()>& call);

  const House house_;
  const std::shared_ptr<const Match> match_;
  const std::string seed_;
  Part part_;

  std::mutex mutex_;
  std::deque<std::shared_ptr<Asked>> asked_;  // the last ones
  std::shared_ptr<Asked> open_;               // the ask that still wants an answer
  std::uint32_t decisions_ = 0;               // that the bot was asked for so far
  std::deque<std::function<void()>> jobs_;
  bool is_working_ = false;
};

}  // namespace paddock
