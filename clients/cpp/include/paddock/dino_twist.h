// Dino Twist: what a seat sees, what it can choose, and how islands score.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::dino_twist {

// A kind of Dino, in the order that dealing uses.
enum class Species { Aqua = 1, Karni, Herbi, Voli };

// A place on an island; Twist Island and every seat's island have them all.
enum class Territory { Mountains = 1, Cliff, Jungle, Desert, Riverside, Hill, Beach, Sea };

// What an event card does: docs/rules/dino-twist.md.
enum class EventKind {
  Meteor = 1,
  Fury,
  Volcano,
  NeverTwoWithoutThree,
  Alone,
  Earthquake,
  Tornado,
  NewGenerations,
  Carnage,
  Help,
};

// What is being decided.
enum class Phase { Discard = 1, Play, Attack, Over };

// What a choice is.
enum class Kind { Play = 1, Bury, Attack, Discard };

// The names, as in the rules and the records, such as KARNI.
std::string_view name(Species species);
std::string_view name(Territory territory);
std::string_view name(EventKind kind);
std::string_view name(Phase phase);
std::string_view name(Kind kind);

inline constexpr std::size_t kTerritories = 8;

// All territories, in the order of the rules.
const std::array<Territory, kTerritories>& territories();
// The two territories that a species lives on.
std::array<Territory, 2> territories(Species species);
// The species that lives on a territory.
Species species(Territory territory);

// A Dino card; copies that are alike are not told apart.
struct Card {
  Species species = Species::Aqua;
  int strength = 0;  // 2 to 10; a baby has 1
  bool claw = false;

  bool operator==(const Card&) const = default;
};

// An event card.
struct Event {
  std::optional<EventKind> kind;       // none: no event applies
  std::optional<Territory> territory;  // of a METEOR
  std::optional<Species> species;      // of a FURY

  // What a play of this species counts more.
  int bonus(Species species) const;
};

// The rule options of a match, and the version of the rules: docs/rules/dino-twist.md.
struct Rules {
  unsigned version = 1;
  unsigned claw_copies = 1;
  std::string claw_strengths;
  bool quiet_first_round = false;
  bool graveyard_per_card = false;
  bool equals_in_seat_order = false;
  bool attack_with_play = false;
  bool fizzled_returns = false;
  bool attack_may_be_waived = false;
  bool must_settle = false;
  bool bury_by_territory = false;
  bool babies_reshuffled = false;
  bool others_draw_last = false;
  bool discard_in_turn = false;
  std::string island_bonus_ties = "share";
  std::string small_seats;

  // Whether a beaten Dino may be discarded even where it could settle on an empty territory.
  bool need_not_settle() const { return version == 1 && !must_settle; }
};

// One decision.
struct Choice {
  Kind kind = Kind::Play;
  std::vector<Card> cards;             // played, buried or discarded
  std::optional<Species> species;      // what a PLAY attacks
  std::optional<Territory> territory;  // what an ATTACK attacks; none waives it
  std::optional<Territory> settle;     // where the beaten Dino settles; none: it is discarded
  unsigned face_down = 0;              // how many cards another seat discarded

  bool operator==(const Choice&) const = default;

  // The strengths of all its cards together.
  int strength() const;
  // Of a PLAY: the card that stays on Twist Island, the weakest of the attacked species; of equals
  // one without a claw.
  std::optional<Card> stays() const;
};

// In words, such as "KARNI-5-CLAW" and "PLAY KARNI-5-CLAW".
std::string text(const Card& card);
std::string text(const Choice& choice);

// Who lives where; Twist Island is an island without gaps.
class Island {
 public:
  const std::optional<Card>& card(Territory territory) const;
  // The strength on a territory; 0 where nobody lives there.
  int strength_on(Territory territory) const;
  // The printed strengths, added.
  int strength() const;
  // How many cards carry a claw.
  int claws() const;
  // How many territories are empty.
  int gaps() const;
  bool is_full() const { return gaps() == 0; }
  // The island after this card took that place.
  Island with(Territory territory, const Card& card) const;

 private:
  std::array<std::optional<Card>, kTerritories> cards_;
};

// Entries of one card or more, in the order in which they were made.
using Graveyard = std::vector<std::vector<Card>>;

// The points of one seat, and the claws on its island.
struct Score {
  int total = 0;
  std::map<std::string, int> parts;  // ISLAND, GRAVEYARD, ISLAND_BONUS and CLAW_BONUS
  int claws = 0;
};

// A way to attack: a territory, and where what is beaten there settles; none: nowhere.
struct Way {
  Territory territory = Territory::Mountains;
  std::optional<Territory> settle;
};

// What one seat knows, and its legal choices.
struct View {
  std::string format;
  Rules rules;
  std::size_t seat = 0;            // which seat sees this
  std::vector<Card> hand;          // by species, then strength, claws first
  std::vector<Card> discarded;     // what this seat laid face down on the discard pile
  std::vector<Choice> legal;       // in the order of the ask
  unsigned round = 0;              // of the game, from 0
  Event event;                     // the one that applies
  std::vector<Event> events;       // all that have shown, the one that shows included
  Phase phase = Phase::Over;       // what is being decided
  std::vector<std::size_t> asked;  // the seats that decide now
  Island twist;                    // Twist Island
  std::vector<Island> islands;     // by seat
  std::vector<Graveyard> graveyards;
  std::vector<unsigned> island_bonuses;      // for filled islands, by seat
  std::vector<Card> discards;                // face up on the discard pile
  std::vector<unsigned> face_down;           // cards on the discard pile, by seat
  std::vector<unsigned> hand_sizes;          // by seat
  unsigned pile_size = 0;                    // cards left to draw
  std::vector<std::optional<Choice>> plays;  // what was revealed this round, by seat; empty before
  std::vector<std::vector<std::size_t>> waiting;  // still to act, the weakest first

  const Island& island() const { return islands[seat]; }
  const Graveyard& graveyard() const { return graveyards[seat]; }
  std::size_t seats() const { return islands.size(); }
  // Everybody's points as the table stands.
  std::vector<Score> scores() const;
  // The legal choices, by what they are.
  std::map<Kind, std::vector<Choice>> legal_by_kind() const;
  // Whether a seat has a Small T-Rex island, on which every Dino may live anywhere.
  bool is_small(std::size_t seat) const;
  // What a number of cards is worth when they come into a graveyard together.
  int buried(std::size_t cards) const;
  // The territories that a play may attack: those with a weaker Dino of its species.
  std::vector<Territory> targets(const Choice& play) const;
  // All ways of this seat to attack with a play: every target, and where the beaten Dino may
  // settle. It is discarded only where no territory that it may settle on is empty.
  std::vector<Way> ways(const Choice& play) const;
  // The strength that the own island wins in a way.
  int won(const Way& way) const;
};

// The number of the legal choice with the best immediate points: docs/sample-bots.md.
std::size_t greedy(const View& view);
// The number of the legal choice with the most points expected in the end.
std::size_t careful(const View& view);

}  // namespace paddock::dino_twist
