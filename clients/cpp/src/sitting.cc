// A sitting: one match of a bot.
#include "sitting.h"

#include <algorithm>
#include <chrono>

#include "fallback.h"
#include "log.h"
#include "reading.h"

namespace paddock {

namespace {

constexpr std::size_t kRememberedAsks = 8;  // of a match; the referee has one open at a time

v1::BotItem said(v1::Choice choice) {
  v1::BotItem item;
  *item.mutable_choice() = std::move(choice);
  return item;
}

}  // namespace

Sitting::Sitting(const House& house, Match match, std::string seed)
    : house_(house),
      match_(std::make_shared<const Match>(std::move(match))),
      seed_(std::move(seed)),
      part_(match_->id, match_->seat) {}

void Sitting::begin() {
  queue([this] { tell("started", [this] { house_.bot.started(*match_); }); });
}

void Sitting::send_nonce(bool commit) {
  if (auto item = part_.begin(commit)) house_.line->put(std::move(*item));
}

void Sitting::open_nonce(const v1::NonceCommitments& told) {
  if (auto item = part_.told(told)) return house_.line->put(std::move(*item));
  log::warning("nonce kept secret: match ", match_->id, ": digests wrong");
}

void Sitting::ask(const v1::Ask& message) {
  const std::string view = message.view().SerializeAsString();
  std::shared_ptr<Asked> asked;
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(asked_.begin(), asked_.end(), [&message](const auto& one) {
      return one->id == message.ask_id();
    });
    if (known != asked_.end()) {
      if ((*known)->view == view) {
        if ((*known)->answer) house_.line->put(said(*(*known)->answer));
        return;
      }
      asked_.erase(known);
    }
    asked = std::make_shared<Asked>(Asked{message.ask_id(), view, std::nullopt});
    open_ = asked;
    asked_.push_back(asked);
    if (asked_.size() > kRememberedAsks) asked_.pop_front();
  }
  queue([this, message, asked] { choose(message, asked); });
}

bool Sitting::asked(std::uint64_t ask_id) {
  const std::lock_guard lock(mutex_);
  return std::any_of(asked_.begin(), asked_.end(),
                     [ask_id](const auto& one) { return one->id == ask_id; });
}

void Sitting::happened(const v1::Happened& message) {
  queue([this, message] {
    const Event event = read_event(message);
    for (const Revealed& shown : event.revealed) {
      if (shown.seat == match_->seat && !shown.fault.empty()) {
        log::warning("fault ", shown.fault, ": match ", match_->id, ": the referee chose");
      }
    }
    tell("happened", [&] { house_.bot.happened(*match_, event); });
  });
}

void Sitting::refused(const Refusal& refusal) {
  queue([this, refusal] { tell("refused", [&] { house_.bot.refused(*match_, refusal); }); });
}

void Sitting::end(const v1::MatchEnded& message) {
  {
    const std::lock_guard lock(mutex_);
    open_.reset();
  }
  queue([this, message] {
    const Summary summary = read_summary(message);
    const bool is_told = match_->seat < summary.seats.size();
    log::info("match ended: ", match_->id, ", rank ",
              is_told ? summary.seats[match_->seat].rank : 0);
    if (!summary.void_reason.empty()) {  // it was set aside, and has no nonces
      log::warning("match void: ", match_->id, " counts for nothing: ", summary.void_reason);
    } else if (const std::string wrong = part_.wrong(summary.nonces); !wrong.empty()) {
      log::warning("nonces wrong: match ", match_->id, ": ", wrong);
    }
    if (kept_its_word(*match_, summary) == false) {
      log::warning("seed wrong: match ", match_->id,
                   ": the seed is not the one the server committed to");
    }
    tell("ended", [&] { house_.bot.ended(*match_, summary); });
  });
}

void Sitting::stop() {
  const std::lock_guard lock(mutex_);
  open_.reset();
  jobs_.clear();
}

void Sitting::queue(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (is_working_) return;
    is_working_ = true;
  }
  house_.pool->run([self = shared_from_this()] { self->work(); });
}

void Sitting::work() {
  while (true) {
    std::function<void()> job;
    {
      const std::lock_guard lock(mutex_);
      if (jobs_.empty()) {
        is_working_ = false;
        return;
      }
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

void Sitting::choose(const v1::Ask& message, const std::shared_ptr<Asked>& asked) {
  {
    const std::lock_guard lock(mutex_);
    if (open_ != asked) return;  // it was over before an earlier choice of this match was made
  }
  const std::string place = log::joined("match ", match_->id, ", ask ", message.ask_id());
  const auto began = std::chrono::steady_clock::now();
  v1::Choice answer = chosen(message, place);
  const auto took = std::chrono::steady_clock::now() - began;
  const long long ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  const std::lock_guard lock(mutex_);
  if (open_ != asked) {
    log::warning("answer dropped: ", place, ": choose was too late, after ", ms, " ms");
    return;
  }
  asked->answer = answer;
  log::debug("answer sent: ", place, ": number ", answer.number(), ", after ", ms, " ms");
  house_.line->put(said(std::move(answer)));
}

// The bot's choice, or a fallback with the default and an error in the log.
v1::Choice Sitting::chosen(const v1::Ask& message, const std::string& place) {
  Ask ask;
  try {
    ask = read_ask(message, match_, std::make_shared<Dice>(seed_, decisions_));
  } catch (const std::exception& problem) {
    log::error("fallback: ", place, ": ", problem.what(), "; the referee chooses instead");
    return fallback(message.ask_id(), std::nullopt, problem.what());
  }
  ++decisions_;
  std::string reason;
  try {
    const Answer answer = house_.bot.choose(ask);
    v1::Choice choice;
    choice.set_ask_id(message.ask_id());
    choice.set_number(static_cast<std::uint32_t>(number_of(ask, answer)));
    return choice;
  } catch (...) {
    reason = described(std::current_exception());
  }
  const std::size_t number = ask.default_number();
  log::error("fallback: ", place, ": ", reason, "; ", text(ask.legal[number]),
             " is played instead");
  return fallback(message.ask_id(), number, reason);
}

void Sitting::tell(const char* hook, const std::function<void()>& call) {
  try {
    call();
  } catch (...) {
    log::error("hook failed: match ", match_->id, ": ", hook, ": ",
               described(std::current_exception()));
  }
}

}  // namespace paddock
