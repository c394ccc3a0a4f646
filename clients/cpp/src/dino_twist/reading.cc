// Dino Twist from the wire.
#include "reading.h"

namespace paddock::dino_twist {

namespace {

Card read_card(const v1::DinoTwistCard& sent) {
  return {read_word<Species>(sent.species(), 4), static_cast<int>(sent.strength()), sent.claw()};
}

template <typename Cards>
std::vector<Card> read_cards(const Cards& sent) {
  std::vector<Card> cards;
  for (const v1::DinoTwistCard& card : sent) cards.push_back(read_card(card));
  return cards;
}

Event read_event(const v1::DinoTwistEvent& sent) {
  return {optional_word<EventKind>(sent.kind(), 10),
          optional_word<Territory>(sent.territory(), kTerritories),
          optional_word<Species>(sent.species(), 4)};
}

Island read_island(const v1::DinoTwistIsland& sent) {
  Island island;
  for (const v1::DinoTwistResident& resident : sent.residents()) {
    const auto place = read_word<Territory>(resident.territory(), kTerritories);
    island = island.with(place, read_card(resident.card()));
  }
  return island;
}

Graveyard read_graveyard(const v1::DinoTwistGraveyard& sent) {
  Graveyard graveyard;
  for (const v1::DinoTwistEntry& entry : sent.entries()) {
    graveyard.push_back(read_cards(entry.cards()));
  }
  return graveyard;
}

}  // namespace

Rules read_rules(const v1::DinoTwistRules& sent) {
  Rules rules;
  rules.version = sent.version() == 0 ? 1 : sent.version();
  if (sent.has_claw_copies()) rules.claw_copies = sent.claw_copies();
  rules.claw_strengths = sent.claw_strengths();
  rules.quiet_first_round = sent.quiet_first_round();
  rules.graveyard_per_card = sent.graveyard_per_card();
  rules.equals_in_seat_order = sent.equals_in_seat_order();
  rules.attack_with_play = sent.attack_with_play();
  rules.fizzled_returns = sent.fizzled_returns();
  rules.attack_may_be_waived = sent.attack_may_be_waived();
  rules.must_settle = sent.must_settle();
  rules.bury_by_territory = rules.version == 1 ? !sent.bury_by_species() : sent.bury_by_territory();
  rules.babies_reshuffled = sent.babies_reshuffled();
  rules.others_draw_last = sent.others_draw_last();
  rules.discard_in_turn = sent.discard_in_turn();
  if (sent.has_island_bonus_ties()) rules.island_bonus_ties = sent.island_bonus_ties();
  rules.small_seats = sent.small_seats();
  return rules;
}

Choice read_choice(const v1::DinoTwistChoice& sent) {
  return {read_word<Kind>(sent.kind(), 4),
          read_cards(sent.cards()),
          optional_word<Species>(sent.species(), 4),
          optional_word<Territory>(sent.territory(), kTerritories),
          optional_word<Territory>(sent.settle(), kTerritories),
          sent.face_down()};
}

View read_view(const v1::DinoTwistView& sent) {
  const v1::DinoTwistTable& table = sent.table();
  View view;
  view.hand = read_cards(sent.hand());
  view.discarded = read_cards(sent.discarded());
  view.round = table.round();
  view.event = read_event(table.event());
  for (const auto& event : table.shown()) view.events.push_back(read_event(event));
  view.phase = read_word<Phase>(table.phase(), 4);
  view.asked.assign(table.asked().begin(), table.asked().end());
  view.twist = read_island(table.twist());
  for (const auto& island : table.islands()) view.islands.push_back(read_island(island));
  for (const auto& graves : table.graveyards()) view.graveyards.push_back(read_graveyard(graves));
  view.island_bonuses.assign(table.island_bonuses().begin(), table.island_bonuses().end());
  view.discards = read_cards(table.discards());
  view.face_down.assign(table.face_down().begin(), table.face_down().end());
  view.hand_sizes.assign(table.hand_sizes().begin(), table.hand_sizes().end());
  view.pile_size = table.pile_size();
  if (!table.plays().empty()) view.plays.resize(view.islands.size());
  for (const v1::DinoTwistRevealed& revealed : table.plays()) {
    if (revealed.seat() >= view.plays.size()) throw Unreadable("seat of a play");
    view.plays[revealed.seat()] = read_choice(revealed.choice());
  }
  for (const auto& group : table.waiting()) {
    view.waiting.emplace_back(group.seats().begin(), group.seats().end());
  }
  return view;
}

std::vector<Score> read_scores(const v1::DinoTwistScores& sent) {
  std::vector<Score> scores;
  for (const v1::DinoTwistScore& seat : sent.scores()) {
    const std::map<std::string, int> parts(seat.parts().begin(), seat.parts().end());
    scores.push_back({seat.total(), parts, static_cast<int>(seat.claws())});
  }
  return scores;
}

}  // namespace paddock::dino_twist
