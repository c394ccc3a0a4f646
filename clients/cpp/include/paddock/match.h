// Matches as bots see them: seats, rules and clock, events and results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "paddock/dino_twist.h"
#include "paddock/draftosaurus.h"

namespace paddock {

// Values of any game.
using Rules = std::variant<draftosaurus::Rules, dino_twist::Rules>;
using View = std::variant<draftosaurus::View, dino_twist::View>;
using Choice = std::variant<draftosaurus::Choice, dino_twist::Choice>;

// The choice in words.
std::string text(const Choice& choice);

// The bot in a seat.
struct Seat {
  std::string bot;
  std::string version;
  std::string owner;
  double cpu_share = 0;  // of a core, where the arena runs it; 0: it does not, or promises none
};

// How time is counted, in milliseconds.
struct Clock {
  unsigned base_ms = 0;           // what every decision may take
  unsigned bank_ms = 0;           // what all overruns of a match may take together
  unsigned lag_allowance_ms = 0;  // the most that is put down to the network
  unsigned max_faults = 0;        // in a row, until the seat forfeits
};

// A match that this bot plays in.
struct Match {
  std::string id;
  std::string format;
  std::vector<Seat> seats;
  std::size_t seat = 0;  // which of them is this bot's
  Rules rules;
  Clock clock;
  std::string commitment;  // SHA-256 of the seed that the deal comes from
  std::string tournament;  // empty where there is none
  std::string dice;        // the server's part of the seed of this bot's dice
};

// The choice of one seat.
struct Revealed {
  std::size_t seat = 0;
  std::optional<Choice> choice;  // none where a newer server knows more than this client
  std::string fault;             // why the referee chose it, such as TIMEOUT; empty: the bot chose
};

// What everybody chose in one step of a match.
struct Event {
  unsigned step = 0;  // from 0
  std::vector<Revealed> revealed;
};

// The result of a seat; rank 1 is best, and equals share a rank.
struct SeatResult {
  int total = 0;
  unsigned rank = 0;
  bool forfeit = false;
  unsigned faults = 0;     // decisions that the referee made
  unsigned fallbacks = 0;  // decisions that the bot's client made
};

// The points of a match in detail: of Draftosaurus by game and seat, of Dino Twist by seat.
using Scores =
    std::variant<std::vector<std::vector<draftosaurus::Score>>, std::vector<dino_twist::Score>>;

// The result of a match.
struct Summary {
  std::vector<SeatResult> seats;
  std::optional<Scores> scores;     // none: a game that this client does not know
  std::string seed;                 // empty while other matches are to play the same deal
  std::vector<std::string> nonces;  // by seat
  std::string void_reason;          // why the match counts for nothing; empty: it counts
};

// Whether the seed is the one that the server committed to before the deal; none: still secret.
std::optional<bool> kept_its_word(const Match& match, const Summary& summary);

// An answer that did not count; `reason` is stable, such as choice/stale.
struct Refusal {
  std::uint64_t ask_id = 0;
  std::string reason;
  std::string sentence;
};

}  // namespace paddock
