// Connections to the server.
#include "connection.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <thread>

#include "backoff.h"
#include "log.h"
#include "paddock/v1/arena.grpc.pb.h"
#include "trouble.h"

namespace paddock {

namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFarewell{2000};  // for the last answers to leave, when the bot is stopped
constexpr const char* kReplaced = "session/replaced";

// The end of a stream.
struct Closed {
  grpc::StatusCode code = grpc::StatusCode::OK;
  std::string sentence;
  std::string reason;
};

// The end of a stream after which another attempt makes sense.
struct Ending {
  std::string sentence;
  milliseconds return_after{0};
};

std::string name_of(grpc::StatusCode code) {
  static constexpr std::array<const char*, 17> kNames{"OK",
                                                      "CANCELLED",
                                                      "UNKNOWN",
                                                      "INVALID_ARGUMENT",
                                                      "DEADLINE_EXCEEDED",
                                                      "NOT_FOUND",
                                                      "ALREADY_EXISTS",
                                                      "PERMISSION_DENIED",
                                                      "RESOURCE_EXHAUSTED",
                                                      "FAILED_PRECONDITION",
                                                      "ABORTED",
                                                      "OUT_OF_RANGE",
                                                      "UNIMPLEMENTED",
                                                      "INTERNAL",
                                                      "UNAVAILABLE",
                                                      "DATA_LOSS",
                                                      "UNAUTHENTICATED"};
  const auto number = static_cast<std::size_t>(code);
  return number < kNames.size() ? kNames[number] : "code " + std::to_string(number);
}

std::shared_ptr<grpc::Channel> channel_to(const Address& address) {
  grpc::ChannelArguments arguments;
  // A server that froze or lost its network says nothing: ping it.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt("grpc.http2.ping_timeout_ms", 5'000);
  // Every attempt is a new channel: `Backoff` decides how long it waits, not earlier channels.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  auto credentials = grpc::InsecureChannelCredentials();
  if (address.tls) {
    credentials = grpc::SslCredentials({address.ca, address.key, address.cert});
  }
  return grpc::CreateCustomChannel(address.target, credentials, arguments);
}

Closed closed(const grpc::Status& status, const grpc::ClientContext& context) {
  Closed closed{status.error_code(), status.error_message(), ""};
  if (status.ok()) return closed;
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto told = trailers.find("paddock-reason");
  closed.reason = told == trailers.end() ? first_reason(closed.sentence)
                                         : std::string(told->second.data(), told->second.size());
  if (closed.sentence.rfind(closed.reason, 0) == 0) closed.sentence.erase(0, closed.reason.size());
  closed.sentence.erase(0,
                        std::min(closed.sentence.find_first_not_of(": "), closed.sentence.size()));
  return closed;
}

// Play on one stream until it ends; none: `stop` was set.
std::optional<Closed> converse(const Address& address, const std::string& token, Session& session,
                               Stop& stop) {
  const std::shared_ptr<Outbox> outbox = session.connect();
  grpc::ClientContext context;
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
  // With the first frame, in the writer: else this would wait here for a connection.
  context.set_initial_metadata_corked(true);
  const auto stub = v1::ArenaService::NewStub(channel_to(address));
  const auto stream = stub->Play(&context);
  Stop is_read;  // set when the server has said all
  // Nothing waits in the reader but the read itself, so that a Ping is answered at once whatever
  // the bot is thinking about.
  std::thread reader([&] {
    v1::PlayResponse frame;
    while (stream->Read(&frame)) {
      for (const v1::RefereeItem& item : frame.items()) session.receive(item);
    }
    is_read.set();
    stop.wake();
  });
  std::thread writer([&] {
    v1::PlayRequest frame;
    while (outbox->next(frame) && stream->Write(frame)) {
    }
    stream->WritesDone();
  });
  stop.wait_or([&] { return is_read.is_set(); });
  const bool is_stopped = stop.is_set();
  if (is_stopped) {
    outbox->close();  // the server ends the stream when it has read the last answers
    if (!is_read.wait_for(kFarewell)) context.TryCancel();
  }
  reader.join();
  session.disconnect();
  writer.join();
  const grpc::Status status = stream->Finish();
  if (is_stopped) return std::nullopt;
  return closed(status, context);
}

// The end of a stream; throws Refused where another attempt would fail the same way.
Ending ending(const Address& address, const Session& session, Closed closed) {
  if (closed.code == grpc::StatusCode::UNAVAILABLE && closed.reason.empty()) {
    const Trouble trouble =
        explain(address, closed.sentence, session.is_welcomed());  // of grpc's words
    if (trouble.is_final) throw Refused(trouble.reason, trouble.sentence);
    closed.sentence = trouble.sentence;
  }
  switch (closed.code) {
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::FAILED_PRECONDITION:
      throw Refused(closed.reason, closed.sentence);
    default:
      if (closed.reason == kReplaced) throw Refused(closed.reason, closed.sentence);
  }
  if (const auto& goodbye = session.goodbye()) {
    if (goodbye->return_after_ms() == 0) throw Refused(goodbye->reason(), goodbye->sentence());
    return {sentence_of(*goodbye), milliseconds(goodbye->return_after_ms())};
  }
  if (!closed.reason.empty()) return {closed.reason + ": " + closed.sentence};
  return {closed.sentence.empty() ? "the server closed the stream" : closed.sentence};
}

}  // namespace

std::string first_reason(const std::string& words) {
  std::string first = words.substr(0, words.find(' '));
  while (!first.empty() && first.back() == ':') first.pop_back();
  const std::size_t slash = first.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == first.size()) return "";
  const auto is_odd = [](char sign) { return sign != '_' && (sign < 'a' || sign > 'z'); };
  if (std::count_if(first.begin(), first.end(), is_odd) != 1) return "";
  return first;
}

void stay_connected(Route route, const std::string& token, Session& session, Stop& stop,
                    std::optional<milliseconds> give_up_after) {
  Backoff backoff{std::mt19937_64(std::random_device()())};
  Steady::time_point connected = Steady::now();  // when a session was last open
  while (true) {
    const Steady::time_point began = Steady::now();
    const Address address = route.next();
    std::optional<Closed> closed = converse(address, token, session, stop);
    if (!closed) return;
    const grpc::StatusCode code = closed->code;
    const Ending ended = ending(address, session, *std::move(closed));
    const Steady::time_point now = Steady::now();
    if (session.is_welcomed()) {
      connected = now;
      if (now - began > kLongestWait) backoff.reset();  // not for a server that hangs up at once
    } else {
      route.failed();
    }
    if (session.goodbye() && !session.goodbye()->address().empty()) {
      route.move_to(session.goodbye()->address());
    }
    if (give_up_after && now - connected >= *give_up_after) {
      throw Unreachable(address.target + ": " + ended.sentence);
    }
    const milliseconds wait = backoff.next(ended.return_after);
    log::warning("no connection to ", address.target, ": ", ended.sentence, " (", name_of(code),
                 "); next attempt in ", std::fixed, std::setprecision(1),
                 static_cast<double>(wait.count()) / 1000, " s at ", route.next().target);
    if (stop.wait_for(wait)) return;
  }
}

}  // namespace paddock
