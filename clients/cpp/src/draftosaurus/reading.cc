// Draftosaurus from the wire.
#include "reading.h"

#include <utility>

#include "draftosaurus/material.h"

namespace paddock::draftosaurus {

namespace {

Species read_species(int number) { return read_word<Species>(number, kSpecies); }

template <typename Numbers>
std::vector<Species> read_all(const Numbers& numbers) {
  std::vector<Species> species;
  for (const int number : numbers) species.push_back(read_species(number));
  return species;
}

Zoo read_zoo(const v1::Zoo& sent, Board board, const Rules& rules) {
  Zoo zoo(board, rules);
  for (const v1::PenContents& contents : sent.pens()) {
    const Pen pen = read_word<Pen>(contents.pen(), 13);
    Stands stands;
    for (const int number : contents.dinosaurs()) {
      stands.push_back(optional_word<Species>(number, kSpecies));
    }
    const bool fits = pen == Pen::Pyramid ? stands.size() == 6 : stands.size() <= kZoo;
    if (!fits || !is_on(pen, board)) throw Unreadable("pen " + std::string(name(pen)));
    zoo = zoo.with(pen, std::move(stands));
  }
  return zoo;
}

template <typename Zoos>
std::vector<Zoo> read_zoos(const Zoos& sent, Board board, const Rules& rules) {
  std::vector<Zoo> zoos;
  for (const v1::Zoo& zoo : sent) zoos.push_back(read_zoo(zoo, board, rules));
  return zoos;
}

}  // namespace

Rules read_rules(const v1::DraftosaurusRules& sent) {
  Rules rules;
  rules.quarantine_may_stay = sent.quarantine_may_stay();
  rules.five_player_die_hold = sent.five_player_die_hold();
  if (sent.has_prairie_capacity()) rules.prairie_capacity = sent.prairie_capacity();
  rules.place_after_reveal = sent.place_after_reveal();
  return rules;
}

Choice read_choice(const v1::DraftosaurusChoice& sent) {
  return {read_word<Phase>(sent.kind(), 5), read_species(sent.species()),
          optional_word<Pen>(sent.pen(), 13), sent.slot()};
}

View read_view(const v1::DraftosaurusView& sent, const Rules& rules) {
  const v1::DraftosaurusTable& table = sent.table();
  View view;
  view.hand = read_all(sent.hand());
  view.board = read_word<Board>(table.board(), 2);
  view.phase = read_word<Phase>(table.phase(), 5);
  view.turns_done = table.turns_done();
  view.game = table.game();
  view.round = table.round();
  view.turn = table.turn();
  view.roller = table.roller();
  view.die = optional_word<Face>(table.die(), 6);
  view.zoos = read_zoos(table.zoos(), view.board, rules);
  view.picks = read_all(table.picks());
  view.removed = read_all(table.removed());
  for (const v1::FinishedGame& game : table.finished()) {
    // A series begins on the summer board.
    view.finished.push_back(read_zoos(game.zoos(), Board::Summer, rules));
  }
  return view;
}

std::vector<std::vector<Score>> read_scores(const v1::DraftosaurusScores& sent) {
  std::vector<std::vector<Score>> games;
  for (const v1::DraftosaurusGameScores& game : sent.games()) {
    std::vector<Score> scores;
    for (const v1::DraftosaurusScore& seat : game.scores()) {
      const std::map<std::string, int> parts(seat.parts().begin(), seat.parts().end());
      scores.push_back({seat.total(), parts, static_cast<int>(seat.t_rexes())});
    }
    games.push_back(std::move(scores));
  }
  return games;
}

}  // namespace paddock::draftosaurus
