// From messages to the values that bots see, of any game.
#include "reading.h"

#include "digest.h"

namespace paddock {

namespace {

Rules read_rules(const v1::MatchStarted& message) {
  switch (message.rules_case()) {
    case v1::MatchStarted::kDraftosaurus:
      return draftosaurus::read_rules(message.draftosaurus());
    case v1::MatchStarted::kDinoTwist:
      return dino_twist::read_rules(message.dino_twist());
    default:
      throw Unreadable("format " + message.format());
  }
}

// The view of a game with what is in the ask and the match beside it.
template <typename GameView, typename GameRules>
GameView completed(GameView view, const Ask& ask, const GameRules& rules, std::size_t seat,
                   std::size_t seats) {
  if (seat >= seats) throw Unreadable("seat " + std::to_string(seat));
  view.format = ask.match->format;
  view.rules = rules;
  view.seat = seat;
  using GameChoice = typename decltype(view.legal)::value_type;
  for (const Choice& choice : ask.legal) {
    const auto* own = std::get_if<GameChoice>(&choice);
    if (own == nullptr) throw Unreadable("a choice of another game");
    view.legal.push_back(*own);
  }
  return view;
}

std::string fault_name(int fault) {
  static constexpr std::array<const char*, 6> kNames{"",          "TIMEOUT",      "ILLEGAL",
                                                     "MALFORMED", "DISCONNECTED", "RESIGNED"};
  // A fault that a newer server knows is still a fault.
  return fault >= 0 && fault < 6 ? kNames[static_cast<std::size_t>(fault)] : "OTHER";
}

}  // namespace

Match read_match(const v1::MatchStarted& message) {
  Match match;
  match.id = message.match_id();
  match.format = message.format();
  for (const v1::Seat& seat : message.seats()) {
    match.seats.push_back({seat.bot(), seat.version(), seat.owner(), seat.cpu_share()});
  }
  match.seat = message.seat();
  if (match.seat >= match.seats.size()) {
    throw Unreadable("seat " + std::to_string(match.seat) + " of " +
                     std::to_string(match.seats.size()));
  }
  match.rules = read_rules(message);
  const v1::Clock& clock = message.clock();
  match.clock = {clock.base_ms(), clock.bank_ms(), clock.lag_allowance_ms(), clock.max_faults()};
  match.commitment = message.commitment();
  match.tournament = message.tournament();
  match.dice = message.dice();
  return match;
}

Choice read_choice(const v1::GameChoice& message) {
  switch (message.game_case()) {
    case v1::GameChoice::kDraftosaurus:
      return draftosaurus::read_choice(message.draftosaurus());
    case v1::GameChoice::kDinoTwist:
      return dino_twist::read_choice(message.dino_twist());
    default:
      throw Unreadable("a choice of an unknown game");
  }
}

Ask read_ask(const v1::Ask& message, std::shared_ptr<const Match> match,
             std::shared_ptr<Dice> dice) {
  Ask ask;
  ask.id = message.ask_id();
  ask.match = std::move(match);
  ask.time_ms = message.time_ms();
  ask.bank_ms = message.bank_ms();
  ask.dice = std::move(dice);
  for (const v1::GameChoice& choice : message.choices()) ask.legal.push_back(read_choice(choice));
  if (ask.legal.empty()) throw Unreadable("an ask without a single legal choice");
  const v1::GameView& sent = message.view();
  const auto* drafting = std::get_if<draftosaurus::Rules>(&ask.match->rules);
  const auto* twisting = std::get_if<dino_twist::Rules>(&ask.match->rules);
  if (sent.has_draftosaurus() && drafting != nullptr) {
    auto view = draftosaurus::read_view(sent.draftosaurus(), *drafting);
    const std::size_t seats = view.seats();
    ask.view = completed(std::move(view), ask, *drafting, message.seat(), seats);
  } else if (sent.has_dino_twist() && twisting != nullptr) {
    auto view = dino_twist::read_view(sent.dino_twist());
    const std::size_t seats = view.seats();
    ask.view = completed(std::move(view), ask, *twisting, message.seat(), seats);
  } else {
    throw Unreadable("a view of another game than " + ask.match->format);
  }
  return ask;
}

Event read_event(const v1::Happened& message) {
  Event event{message.step(), {}};
  for (const v1::Revealed& shown : message.revealed()) {
    Revealed revealed{shown.seat(), std::nullopt, fault_name(shown.fault())};
    try {
      revealed.choice = read_choice(shown.choice());
    } catch (const Unreadable&) {
      // A newer server knows more.
    }
    event.revealed.push_back(std::move(revealed));
  }
  return event;
}

Summary read_summary(const v1::MatchEnded& message) {
  Summary summary;
  for (const v1::SeatResult& seat : message.seats()) {
    summary.seats.push_back(
        {seat.total(), seat.rank(), seat.forfeit(), seat.faults(), seat.fallbacks()});
  }
  if (message.has_draftosaurus()) {
    summary.scores = draftosaurus::read_scores(message.draftosaurus());
  } else if (message.has_dino_twist()) {
    summary.scores = dino_twist::read_scores(message.dino_twist());
  }
  summary.seed = message.seed();
  summary.nonces.assign(message.nonces().begin(), message.nonces().end());
  summary.void_reason = message.void_reason();
  return summary;
}

std::optional<bool> kept_its_word(const Match& match, const Summary& summary) {
  if (summary.seed.empty()) return std::nullopt;
  return sha256(summary.seed) == match.commitment;
}

}  // namespace paddock
