// Draftosaurus: what a seat sees, what it can choose, and how zoos score.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paddock::draftosaurus {

// A kind of dinosaur, in the order that dealing uses.
enum class Species { TRex = 1, Diplodocus, Triceratops, Spinosaurus, Stegosaurus, Parasaurolophus };

// A place in a zoo: the six pens of either board, and the river.
enum class Pen {
  ForestOfSameness = 1,
  WoodyTrio,
  KingOfTheJungle,
  PrairieOfLove,
  MeadowOfDifferences,
  SolitaryIsland,
  WellOrderedWood,
  Lookout,
  LoversBridgeLeft,
  LoversBridgeRight,
  Pyramid,
  Quarantine,
  River,
};

// A face of the die: which pens a seat that did not roll may use.
enum class Face { Woodlands = 1, Grasslands, Restrooms, FoodCourt, EmptyPen, NoTRex };

// A side of the board.
enum class Board { Summer = 1, Winter };

// What is being decided, and what a choice is.
enum class Phase { Pick = 1, Place, Remove, Move, Over };

// The names, as in the rules and the records, such as T_REX.
std::string_view name(Species species);
std::string_view name(Pen pen);
std::string_view name(Face face);
std::string_view name(Board board);
std::string_view name(Phase phase);

inline constexpr std::size_t kSpecies = 6;
inline constexpr std::size_t kPlaces = 7;  // of a zoo
inline constexpr std::size_t kZoo = 12;    // dinosaurs of a zoo in the end, and turns of a game

// The index of a species, from 0.
constexpr std::size_t index(Species species) { return static_cast<std::size_t>(species) - 1; }

// The pens of a board in their order, the river last.
const std::array<Pen, kPlaces>& pens(Board board);

// The rule options of a match.
struct Rules {
  bool quarantine_may_stay = false;          // the dinosaur in quarantine may be left there
  bool five_player_die_hold = false;         // the die is kept for turn 6 and binds everybody
  std::optional<unsigned> prairie_capacity;  // how many the prairie holds; none: any number
  bool place_after_reveal = false;           // all pick, all reveal, then all place

  bool operator==(const Rules&) const = default;
};

// One decision.
struct Choice {
  Phase kind = Phase::Place;
  Species species = Species::TRex;
  std::optional<Pen> pen;  // none for PICK and REMOVE; QUARANTINE in a MOVE: it stays
  unsigned slot = 0;       // of the pyramid, 0 to 5; 0 everywhere else

  bool operator==(const Choice&) const = default;
};

// The choice in words, such as "PLACE T_REX in RIVER".
std::string text(const Choice& choice);

// How many there are of each species, by its index.
using Counts = std::array<int, kSpecies>;

// Who stands in a pen: in the pyramid by slot, none where it is free; in the well-ordered wood from
// left to right; elsewhere in the order of the species.
using Stands = std::vector<std::optional<Species>>;

// The seven places of one seat: its six pens in board order, then the river.
class Zoo {
 public:
  // A zoo in which nobody stands yet.
  Zoo(Board board, const Rules& rules);

  Board board() const { return board_; }
  const Rules& rules() const { return rules_; }

  // Who stands in a pen of this board; nobody in a pen of the other.
  const Stands& pen(Pen pen) const;
  // The dinosaurs in a pen, free slots left out.
  std::vector<Species> inside(Pen pen) const;
  std::size_t size_of(Pen pen) const;
  // How many of each species are in a pen, or in the whole zoo, the river included.
  Counts counts_in(Pen pen) const;
  Counts counts() const;
  int count(Species species) const;

  // Whether a pen takes a dinosaur by its own rules, whatever the die shows.
  bool takes(Pen pen, Species species, unsigned slot) const;
  // Whether the die lets a pen be used; the river is always open.
  bool is_open(Pen pen, Face face) const;
  // The placements that the pens allow, the die apart: by pen, then by slot, then by species.
  std::vector<Choice> placements(const std::vector<Species>& species) const;

  // The zoo after a PLACE, which must be one that its pen allows.
  Zoo plus(const Choice& choice) const;
  // The zoo after a MOVE; into QUARANTINE: the dinosaur stayed.
  Zoo moved(const Choice& choice) const;
  // The zoo with this in a pen of its board.
  Zoo with(Pen pen, Stands stands) const;

 private:
  Board board_;
  Rules rules_;
  std::array<Stands, kPlaces> places_;
};

// The points of one zoo, and the T-Rexes that decide ties.
struct Score {
  int total = 0;
  std::map<std::string, int> parts;  // every pen, LOVERS_BRIDGE, RIVER and T_REX_BONUS
  int t_rexes = 0;
};

// Everybody's points as the table stands.
std::vector<Score> scores(const std::vector<Zoo>& zoos);
// The points of a seat if its zoo were this one, the others' as they are.
int points(const std::vector<Zoo>& zoos, std::size_t seat, const Zoo& zoo);

// What one seat knows, and its legal choices.
struct View {
  std::string format;
  Rules rules;
  std::size_t seat = 0;                    // which seat sees this
  std::vector<Species> hand;               // in the order of the species
  std::vector<Choice> legal;               // in the order of the ask
  Board board = Board::Summer;             // the side that is played on
  Phase phase = Phase::Over;               // what is being decided
  unsigned turns_done = 0;                 // of the match; a game has 12
  unsigned game = 0;                       // which game of the match, from 0: a series has two
  unsigned round = 0;                      // of the game, from 0
  unsigned turn = 0;                       // of the round, from 0
  std::size_t roller = 0;                  // the seat that holds the die
  std::optional<Face> die;                 // none: no die was rolled
  std::vector<Zoo> zoos;                   // by seat
  std::vector<Species> picks;              // by seat, between reveal and placing; else empty
  std::vector<Species> removed;            // what has left this game; two players only
  std::vector<std::vector<Zoo>> finished;  // by game that is over, then by seat

  const Zoo& zoo() const { return zoos[seat]; }
  std::size_t seats() const { return zoos.size(); }
  // The seat that gets this seat's hand.
  std::size_t next_seat() const { return (seat + 1) % seats(); }
  // Everybody's points as the table stands.
  std::vector<Score> scores() const { return draftosaurus::scores(zoos); }
  // The legal choices that name a pen, by that pen.
  std::map<Pen, std::vector<Choice>> legal_by_pen() const;
  // The species of the hand, each once, in their order.
  std::vector<Species> species_in_hand() const;
  // The placements of any dinosaur of the hand that the pens and the die allow.
  std::vector<Choice> placements() const;
};

// The number of the legal choice with the best immediate points: docs/sample-bots.md.
std::size_t greedy(const View& view);
// The number of the legal choice with the most points expected in the end.
std::size_t careful(const View& view);

}  // namespace paddock::draftosaurus
