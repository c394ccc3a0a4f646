// The session of a bot: its matches and its resume token, over any number of streams.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sitting.h"

namespace paddock {

// A session over any number of streams; `receive` handles items in order and never waits.
class Session {
 public:
  // The session of a bot; `idle` is called when all matches that began have ended.
  Session(Bot& bot, v1::Hello hello, std::function<void()> idle);

  // The outbox of a new stream, with Hello in it.
  std::shared_ptr<Outbox> connect();
  // Send nothing after what waits already; answers are sent when their asks are repeated.
  void disconnect() { house_.line->close(); }
  // Handle one item of the server.
  void receive(const v1::RefereeItem& item) noexcept;
  // Wait for the hooks of ended matches, and call no other method of the bot.
  void close();

  bool is_welcomed() const { return is_welcomed_; }                       // on the present stream
  const std::optional<v1::Goodbye>& goodbye() const { return goodbye_; }  // the same

 private:
  void handle(const v1::RefereeItem& item);
  void welcome(const v1::Welcome& welcome);
  void match_started(const v1::MatchStarted& message);
  void match_ended(const v1::MatchEnded& message);
  void refused(const v1::Refused& message);
  Sitting* find(const std::string& match_id);

  v1::Hello hello_;
  std::function<void()> idle_;
  std::string secret_;
  bool is_welcomed_ = false;
  std::optional<v1::Goodbye> goodbye_;
  House house_;
  std::map<std::string, std::shared_ptr<Sitting>> sittings_;
  std::set<std::string> current_;  // the matches that started on the present stream
};

// Whether a session was closed while a method of its bot had not returned.
bool is_call_left_behind();

// What a Goodbye says.
const std::string& sentence_of(const v1::Goodbye& goodbye);

// The names of all formats that this client can read, of both games.
const std::vector<std::string>& known_formats();

}  // namespace paddock
