// A referee that says what a test tells it to.
#include "referee.h"

namespace paddock {

v1::BotItem Stream::next() {
  while (said_.empty()) {
    v1::PlayRequest frame;
    if (!wire_.Read(&frame)) return {};
    said_.assign(frame.items().begin(), frame.items().end());
  }
  v1::BotItem item = said_.front();
  said_.pop_front();
  return item;
}

void Stream::tell(const std::vector<v1::RefereeItem>& items) {
  v1::PlayResponse frame;
  for (const auto& item : items) *frame.add_items() = item;
  wire_.Write(frame);
}

v1::Hello Stream::welcome() {
  const v1::Hello hello = next().hello();
  v1::RefereeItem welcome;
  welcome.mutable_welcome()->set_resume_token("again");
  tell({welcome, started()});
  return hello;
}

Referee::Referee(std::deque<Script> scripts, const std::string& socket)
    : scripts_(std::move(scripts)) {
  grpc::ServerBuilder builder;
  int port = 0;
  const std::string listens = socket.empty() ? "127.0.0.1:0" : socket;
  builder.AddListeningPort(listens, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  address_ = socket.empty() ? "127.0.0.1:" + std::to_string(port) : socket;
}

Referee::~Referee() { server_->Shutdown(std::chrono::system_clock::now()); }

grpc::Status Referee::Play(grpc::ServerContext* context, Stream::Wire* wire) {
  Script script;
  {
    const std::lock_guard lock(mutex_);
    if (scripts_.empty()) return {grpc::StatusCode::UNAVAILABLE, "nothing is left to do"};
    script = std::move(scripts_.front());
    scripts_.pop_front();
  }
  const auto& metadata = context->client_metadata();
  const auto token = metadata.find("authorization");
  const bool has_one = token != metadata.end();
  Stream stream(*wire, has_one ? std::string(token->second.data(), token->second.size()) : "");
  return script(stream);
}

v1::RefereeItem started(bool commit_nonces) {
  v1::RefereeItem item;
  v1::MatchStarted& match = *item.mutable_match_started();
  match.set_match_id("m1");
  match.set_format("summer");
  for (int seat = 0; seat < 3; ++seat) match.add_seats();
  match.set_seat(1);
  match.set_dice(std::string(16, '\7'));
  match.mutable_draftosaurus();
  match.set_commit_nonces(commit_nonces);
  return item;
}

v1::RefereeItem ask(std::uint64_t id, unsigned turn) {
  v1::RefereeItem item;
  v1::Ask& ask = *item.mutable_ask();
  ask.set_match_id("m1");
  ask.set_ask_id(id);
  ask.set_seat(1);
  ask.set_time_ms(1000);
  v1::DraftosaurusView& view = *ask.mutable_view()->mutable_draftosaurus();
  view.add_hand(v1::SPECIES_T_REX);
  v1::DraftosaurusTable& table = *view.mutable_table();
  table.set_board(v1::BOARD_SUMMER);
  table.set_phase(v1::DRAFTOSAURUS_PHASE_PLACE);
  table.set_turn(turn);
  for (int seat = 0; seat < 3; ++seat) table.add_zoos();
  for (const v1::Pen pen : {v1::PEN_WOODY_TRIO, v1::PEN_KING_OF_THE_JUNGLE, v1::PEN_RIVER}) {
    v1::DraftosaurusChoice& choice = *ask.add_choices()->mutable_draftosaurus();
    choice.set_kind(v1::DRAFTOSAURUS_PHASE_PLACE);
    choice.set_species(v1::SPECIES_T_REX);
    choice.set_pen(pen);
  }
  return item;
}

v1::RefereeItem ping(std::uint64_t id) {
  v1::RefereeItem item;
  item.mutable_ping()->set_id(id);
  return item;
}

v1::RefereeItem goodbye(unsigned return_after_ms, const std::string& address) {
  v1::RefereeItem item;
  item.mutable_goodbye()->set_reason("server/draining");
  item.mutable_goodbye()->set_sentence("it stops");
  item.mutable_goodbye()->set_return_after_ms(return_after_ms);
  item.mutable_goodbye()->set_address(address);
  return item;
}

}  // namespace paddock
