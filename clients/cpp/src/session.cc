// The session of a bot.
#include "session.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "digest.h"
#include "log.h"
#include "reading.h"

namespace paddock {

namespace {

constexpr std::chrono::milliseconds kFarewell{5000};  // for the hooks of the last matches

std::atomic<bool> left_behind{false};

// A secret of this client, unless PADDOCK_DICE_SECRET gives several bots a common secret.
std::string own_secret() {
  const char* secret = std::getenv("PADDOCK_DICE_SECRET");
  return secret != nullptr && *secret != '\0' ? std::string(secret) : random_bytes(32);
}

// The version of a game's rules that this client knows; 0: it does not know the game.
unsigned rules_version(const std::string& game) {
  return game == "draftosaurus" ? 1 : game == "dino_twist" ? 2 : 0;
}

}  // namespace

bool is_call_left_behind() { return left_behind; }

const std::string& sentence_of(const v1::Goodbye& goodbye) {
  return goodbye.sentence().empty() ? goodbye.reason() : goodbye.sentence();
}

const std::vector<std::string>& known_formats() {
  static const std::vector<std::string> formats{"summer",     "winter",
                                                "two-player", "two-player-winter",
                                                "series",     "two-player-series",
                                                "dino-twist", "dino-twist-small"};
  return formats;
}

Session::Session(Bot& bot, v1::Hello hello, std::function<void()> idle)
    : hello_(std::move(hello)),
      idle_(std::move(idle)),
      secret_(own_secret()),
      house_{bot, std::make_shared<Pool>(hello_.max_matches()), std::make_shared<Line>()} {}

std::shared_ptr<Outbox> Session::connect() {
  is_welcomed_ = false;
  goodbye_.reset();
  current_.clear();
  std::shared_ptr<Outbox> outbox = house_.line->open();
  v1::BotItem item;
  *item.mutable_hello() = hello_;
  outbox->put(std::move(item));
  return outbox;
}

void Session::close() {
  for (const auto& [id, sitting] : sittings_) sitting->stop();
  if (!house_.pool->wait_until_idle(kFarewell)) left_behind = true;
}

void Session::receive(const v1::RefereeItem& item) noexcept {
  try {
    handle(item);
  } catch (const std::exception& problem) {
    log::error("item ignored: ", problem.what(), "; the other matches go on");
  }
}

void Session::handle(const v1::RefereeItem& item) {
  switch (item.item_case()) {
    case v1::RefereeItem::kPing: {
      v1::BotItem pong;
      pong.mutable_pong()->set_id(item.ping().id());
      return house_.line->put(std::move(pong));
    }
    case v1::RefereeItem::kAsk:
      if (Sitting* sitting = find(item.ask().match_id())) return sitting->ask(item.ask());
      return log::error("ask ignored: ", item.ask().ask_id(), " is of unknown match ",
                        item.ask().match_id());
    case v1::RefereeItem::kHappened:
      if (Sitting* sitting = find(item.happened().match_id())) sitting->happened(item.happened());
      return;
    case v1::RefereeItem::kMatchStarted:
      return match_started(item.match_started());
    case v1::RefereeItem::kNonceCommitments:
      if (Sitting* sitting = find(item.nonce_commitments().match_id())) {
        sitting->open_nonce(item.nonce_commitments());
      }
      return;
    case v1::RefereeItem::kMatchEnded:
      return match_ended(item.match_ended());
    case v1::RefereeItem::kRefused:
      return refused(item.refused());
    case v1::RefereeItem::kWelcome:
      return welcome(item.welcome());
    case v1::RefereeItem::kGoodbye:
      goodbye_ = item.goodbye();
      return log::info("goodbye received: ", sentence_of(*goodbye_));
    default:
      return;  // from a newer server, which expects no answer
  }
}

void Session::welcome(const v1::Welcome& welcome) {
  is_welcomed_ = true;
  hello_.set_resume_token(welcome.resume_token());
  std::string played;
  for (const v1::Format& format : welcome.formats()) {
    if (format.plays()) played += (played.empty() ? "" : ", ") + format.name();
  }
  log::info("session opened: ", hello_.bot(), " on paddock ", welcome.server(), ", session ",
            welcome.session(), ", plays ", played);
  for (const v1::Game& game : welcome.games()) {
    const unsigned known = rules_version(game.name());
    if (known != 0 && known < game.rules_version()) {
      log::warning("rules too old: the server plays version ", game.rules_version(), " of ",
                   game.name(), "; use a newer paddock");
    }
  }
  if (!welcome.probation().empty()) {
    log::warning("on probation: ", hello_.bot(), " gets trial matches only: ", welcome.probation());
  }
  for (const std::string& notice : welcome.notices()) log::warning(notice);
  if (!welcome.has_open_matches()) return;
  const auto& ids = welcome.open_matches().match_ids();
  const std::set<std::string> open(ids.begin(), ids.end());
  std::erase_if(sittings_, [&open](const auto& known) {
    if (open.count(known.first) > 0) return false;
    log::info("match ended without a connection: ", known.first);
    known.second->stop();
    return true;
  });
}

void Session::match_started(const v1::MatchStarted& message) {
  const std::string& id = message.match_id();
  if (find(id) == nullptr) {
    Match match = read_match(message);
    std::string names;
    for (const Seat& seat : match.seats) names += (names.empty() ? "" : ", ") + seat.bot;
    log::info("match started: ", id, ", ", match.format, ", seat ", match.seat, " of ", names);
    std::string seed = match_seed(secret_, match.dice, match.seat);
    sittings_[id] = std::make_shared<Sitting>(house_, std::move(match), std::move(seed));
    sittings_[id]->begin();
  }
  current_.insert(id);
  sittings_[id]->send_nonce(message.commit_nonces());
}

void Session::match_ended(const v1::MatchEnded& message) {
  current_.erase(message.match_id());
  if (Sitting* sitting = find(message.match_id())) {
    sitting->end(message);
    sittings_.erase(message.match_id());
  }
  if (current_.empty()) idle_();
}

void Session::refused(const v1::Refused& message) {
  const Refusal refusal{message.ask_id(), message.reason(), message.sentence()};
  log::warning("answer refused: ask ", refusal.ask_id, ": ", refusal.reason, ": ",
               refusal.sentence);
  for (const auto& [id, sitting] : sittings_) {
    if (sitting->asked(refusal.ask_id)) sitting->refused(refusal);
  }
}

Sitting* Session::find(const std::string& match_id) {
  const auto known = sittings_.find(match_id);
  return known == sittings_.end() ? nullptr : known->second.get();
}

}  // namespace paddock
