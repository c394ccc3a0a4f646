// The C++ SDK of Paddock: a bot says what to choose, and the SDK does the rest.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "paddock/bot.h"

namespace paddock {

inline constexpr const char* kDefaultServer = "127.0.0.1:7911";

// The settings of a run; what is empty is taken from the environment: PADDOCK_SERVER,
// PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.
struct Settings {
  std::string server;  // HOST:PORT, https://HOST:PORT or unix:PATH, or several with commas between
  std::string token;
  std::string name;                     // the bot's name on the server
  std::string tls_ca;                   // the file of the server's CA, PEM; turns TLS on
  std::string tls_cert;                 // the file of the bot's own certificate, PEM
  std::string tls_key;                  // the file of its key, PEM
  std::optional<unsigned> max_matches;  // at once
  bool stop_when_idle = false;          // return once all matches that began have ended
  std::optional<std::chrono::milliseconds> give_up_after;  // without a connection; none: never
};

// Why a session can't go on.
class Error : public std::runtime_error {
 public:
  Error(const std::string& sentence, int exit_code)
      : std::runtime_error(sentence), exit_code(exit_code) {}

  int exit_code;  // what `run` returns
};

// The settings of a server, a token or a bot are invalid.
class BadSettings : public Error {
 public:
  explicit BadSettings(const std::string& sentence) : Error(sentence, 2) {}
};

// The server refuses the bot for good; `reason` is stable, the sentence says more.
class Refused : public Error {
 public:
  Refused(const std::string& reason, const std::string& sentence)
      : Error(reason.empty() ? sentence : reason + ": " + sentence, 2), reason(reason) {}

  std::string reason;
};

// There was no connection for longer than `give_up_after`.
class Unreachable : public Error {
 public:
  explicit Unreachable(const std::string& sentence) : Error(sentence, 1) {}
};

// Lets a bot be stopped from another thread.
class Stop {
 public:
  // Stop the bot; whether it was to stop already.
  bool set();
  bool is_set() const;
  // Wait for at most so long; whether it is set.
  bool wait_for(std::chrono::milliseconds longest) const;
  // Wait until it is set or this is true, which is looked at again after every `wake`.
  void wait_or(const std::function<bool()>& is_done) const;
  void wake() const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool is_set_ = false;
};

// Play matches until `stop` is set. Throws Error where the session can't go on.
void play(Bot& bot, const Settings& settings, Stop& stop);

// Let the bot play until it gets SIGINT (Ctrl-C) or SIGTERM, reconnecting as often as it takes. The
// exit code for `main` is 2, with the server's sentence in the log, if the bot is refused.
int run(Bot& bot, const Settings& settings = {});

// Run the bot with the options of the command line; `--help` lists them.
int run_from_command_line(Bot& bot, int argc, char** argv);

}  // namespace paddock
