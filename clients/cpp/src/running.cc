// The run of a bot: it connects, reconnects, and ends when it is stopped or refused.
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

#include "address.h"
#include "connection.h"
#include "cut.h"
#include "fallback.h"
#include "log.h"
#include "paddock/paddock.h"
#include "session.h"

namespace paddock {

namespace {

constexpr unsigned kProtocol = 1;
constexpr std::size_t kMostVersion = 40;  // characters, that the server shows

// A setting, or what the environment says; else empty.
std::string given(const std::string& setting, const char* variable) {
  if (!setting.empty()) return setting;
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string read_token(const std::string& text) {
  const char* blanks = " \t\r\n";  // files that tokens are read from end in a newline
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return "";
  const std::string token = text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
  const auto is_odd = [](char sign) { return sign < ' ' || sign > '~'; };
  if (std::any_of(token.begin(), token.end(), is_odd)) {
    throw BadSettings("token: it has invalid characters; copy it again");
  }
  return token;
}

v1::Hello hello_of(const Bot& bot, const Settings& settings) {
  const unsigned matches = settings.max_matches.value_or(bot.max_matches());
  if (matches < 1) throw BadSettings("max_matches: give 1 or more, not 0");
  v1::Hello hello;
  const std::string name = given(settings.name, "PADDOCK_BOT");
  hello.set_bot(name.empty() ? bot.name() : name);
  hello.set_version(cut(bot.version(), kMostVersion));
  hello.set_client("paddock-cpp/" PADDOCK_VERSION);
  hello.set_protocol(kProtocol);
  for (const std::string& format : bot.formats()) hello.add_formats(format);
  for (const std::string& format : known_formats()) hello.add_known_formats(format);
  hello.set_max_matches(matches);
  hello.set_sends_nonces(true);
  hello.set_commits_nonces(true);
  hello.set_language("C++");
  return hello;
}

// Stop at the first signal; a second one ends the process.
void stop_on_signals(const std::shared_ptr<Stop>& stop) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // in all threads: the one below waits for them
  std::thread([stop, signals] {
    int number = 0;
    while (sigwait(&signals, &number) == 0) {
      if (stop->set()) std::_Exit(128 + number);
    }
  }).detach();
}

}  // namespace

bool Stop::set() {
  bool was_set = true;
  {
    const std::lock_guard lock(mutex_);
    std::swap(was_set, is_set_);
  }
  changed_.notify_all();
  return was_set;
}

bool Stop::is_set() const {
  const std::lock_guard lock(mutex_);
  return is_set_;
}

bool Stop::wait_for(std::chrono::milliseconds longest) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, longest, [this] { return is_set_; });
}

void Stop::wait_or(const std::function<bool()>& is_done) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_set_ || is_done(); });
}

void Stop::wake() const {
  { const std::lock_guard lock(mutex_); }  // whoever looks now has to be asleep before the call
  changed_.notify_all();
}

void play(Bot& bot, const Settings& settings, Stop& stop) {
  setenv("GRPC_VERBOSITY", "NONE", 0);  // what grpc prints says the same in its own words
  const std::string server = given(settings.server, "PADDOCK_SERVER");
  const CertificateFiles files{settings.tls_ca, settings.tls_cert, settings.tls_key};
  Route route(
      read_addresses(server.empty() ? kDefaultServer : server, files, given("", "PADDOCK_TLS_CA")));
  const std::string token = read_token(given(settings.token, "PADDOCK_TOKEN"));
  const v1::Hello hello = hello_of(bot, settings);
  const bool stops_when_idle = settings.stop_when_idle;
  Session session(bot, hello, [&stop, stops_when_idle] {
    if (stops_when_idle) stop.set();
  });
  log::info("connecting: ", hello.bot(), " to ", route.next().target);
  try {
    stay_connected(std::move(route), token, session, stop, settings.give_up_after);
  } catch (...) {
    session.close();
    throw;
  }
  session.close();
}

int run(Bot& bot, const Settings& settings) {
  const auto stop = std::make_shared<Stop>();
  stop_on_signals(stop);
  int exit_code = 0;
  try {
    play(bot, settings, *stop);
  } catch (const Error& problem) {
    log::error(problem.what());
    exit_code = problem.exit_code;
  } catch (...) {  // thrown by one of the bot's methods
    log::error("the bot can't be run: ", described(std::current_exception()));
    exit_code = 1;
  }
  // A choose that never returns must not keep the process, nor meet the end of what it uses.
  if (is_call_left_behind()) std::_Exit(exit_code);
  return exit_code;
}

}  // namespace paddock
