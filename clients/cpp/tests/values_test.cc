// Addresses, routes, dice, fallbacks, matches, frames and words: what needs no server.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "address.h"
#include "backoff.h"
#include "command_line.h"
#include "connection.h"
#include "digest.h"
#include "fallback.h"
#include "log.h"
#include "outbox.h"
#include "reading.h"
#include "route.h"
#include "trouble.h"

namespace paddock {
namespace {

std::vector<std::string> targets(Route route, int count) {
  std::vector<std::string> seen;
  for (int turn = 0; turn < count; ++turn) {
    seen.push_back(route.next().target);
    route.failed();
  }
  return seen;
}

TEST(Address, ALoopbackAddressNeedsNoTls) {
  for (const std::string server : {"127.0.0.1:7911", "localhost:1", "[::1]:7911", "127.0.0.2:5"}) {
    EXPECT_EQ(read_address(server, {}), (Address{server, false, "", "", ""}));
  }
}

TEST(Address, ASchemeDecidesAboutTls) {
  EXPECT_TRUE(read_address("https://paddock.example.org:7911", {}).tls);
  EXPECT_FALSE(read_address("http://paddock.example.org:7911/", {}).tls);
}

TEST(Address, AnotherMachineNeedsAScheme) {
  try {
    read_address("paddock.example.org:7911", {});
    FAIL();
  } catch (const BadSettings& problem) {
    EXPECT_NE(std::string(problem.what()).find("https://paddock.example.org:7911"),
              std::string::npos);
  }
}

TEST(Address, ASocketHasAPath) {
  EXPECT_EQ(read_address("unix:/run/paddock.sock", {}).target, "unix:/run/paddock.sock");
  EXPECT_THROW(read_address("unix:", {}), BadSettings);
}

TEST(Address, WhatIsNoAddressIsRefused) {
  for (const std::string server :
       {"", "host", "host:", ":1", "host:99999", "ftp://host:1", "host:1/path", "a:b:1", "::1"}) {
    EXPECT_THROW(read_address(server, {}), BadSettings) << server;
  }
}

TEST(Address, AListHasSeveralServers) {
  const auto list = read_addresses("127.0.0.1:1, unix:/a ,https://x:2", {}, "");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[1].target, "unix:/a");
  EXPECT_TRUE(list[2].tls);
  EXPECT_THROW(read_addresses(" , ", {}, ""), BadSettings);
}

TEST(Address, TheEnvironmentsCaDoesNotTouchWhatIsPlain) {
  EXPECT_EQ(read_addresses("http://x:1,unix:/a", {}, "/absent/ca.pem").size(), 2u);
  EXPECT_THROW(read_addresses("x:1", {}, "/absent/ca.pem"), BadSettings);
}

TEST(Address, ACaNeedsACertificate) {
  const auto path = std::filesystem::temp_directory_path() / "paddock-no-certificate.pem";
  std::ofstream(path) << "nothing";
  EXPECT_THROW(read_address("x:1", {path, "", ""}), BadSettings);
  std::filesystem::remove(path);
}

TEST(Address, ARedirectionNeverLeavesTls) {
  const Address home = read_address("https://x:1", {});
  EXPECT_TRUE(redirected(home, "y:2").tls);
  EXPECT_THROW(redirected(home, "http://y:2"), BadSettings);
  EXPECT_THROW(redirected(home, "unix:/a"), BadSettings);
  EXPECT_THROW(redirected(read_address("127.0.0.1:1", {}), "y:2"), BadSettings);
}

TEST(Route, FailuresGoRoundTheList) {
  const Route route(read_addresses("127.0.0.1:1,127.0.0.1:2", {}, ""));
  EXPECT_EQ(targets(route, 3),
            (std::vector<std::string>{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:1"}));
}

TEST(Route, AGoodbyesAddressIsNextAndFailuresLeadBack) {
  Route route(read_addresses("127.0.0.1:1", {}, ""));
  route.move_to("127.0.0.1:9");
  EXPECT_EQ(targets(route, 3),
            (std::vector<std::string>{"127.0.0.1:9", "127.0.0.1:1", "127.0.0.1:9"}));
}

TEST(Route, AnAddressThatCantBeUsedIsIgnored) {
  Route route(read_addresses("127.0.0.1:1", {}, ""));
  for (const char* server : {"elsewhere:9", "nonsense"}) {
    route.move_to(server);
    EXPECT_EQ(route.next().target, "127.0.0.1:1");
  }
}

TEST(Backoff, WaitsGrowAndNeverPassTenSeconds) {
  Backoff backoff{std::mt19937_64(1)};
  EXPECT_LE(backoff.next(std::chrono::milliseconds(0)).count(), 100);
  for (int failure = 0; failure < 40; ++failure) {
    const auto wait = backoff.next(std::chrono::milliseconds(500)).count();
    EXPECT_GE(wait, 500);
    EXPECT_LE(wait, 10'500);
  }
  backoff.reset();
  EXPECT_LE(backoff.next(std::chrono::milliseconds(0)).count(), 100);
}

TEST(Dice, NumbersAreThoseOfEveryLanguage) {
  Dice dice(match_seed("secret", std::string(16, '\1'), 2), 3);
  std::vector<std::size_t> drawn;
  for (const std::size_t n :
       {6ul, 6ul, 6ul, 100ul, 1ul, std::size_t{1} << 31, 3ul, 10ul, 7ul, 7ul}) {
    drawn.push_back(dice.below(n));
  }
  EXPECT_EQ(drawn, (std::vector<std::size_t>{4, 5, 5, 11, 0, 1088366491, 2, 5, 5, 1}));
  EXPECT_THROW(dice.below(0), std::invalid_argument);
}

TEST(Dice, TheGeneratorOfADecisionCanBeRepeated) {
  const auto draw = [](unsigned decision) { return Dice("seed", decision).rng()(); };
  EXPECT_EQ(draw(0), draw(0));
  EXPECT_NE(draw(0), draw(1));
}

TEST(Fallback, ErrorsHaveTheirTypeAndWords) {
  const auto words = [](auto error) { return described(std::make_exception_ptr(error)); };
  EXPECT_EQ(words(std::out_of_range("too far")), "std::out_of_range: too far");
  EXPECT_EQ(words(7), "a thrown int");
  EXPECT_EQ(words(NotLegal("no")), "no");
}

TEST(Fallback, AReasonIsCutAtACharacterAndAlwaysFitsTheWire) {
  std::string sharp;
  for (int count = 0; count < 300; ++count) sharp += "ß";
  EXPECT_EQ(fallback(1, std::nullopt, sharp).fallback().size(), 400u);
  EXPECT_EQ(fallback(1, 2, "a\xff\xc3").fallback(), "a??");
  EXPECT_EQ(fallback(1, 2, "a").number(), 2u);
}

TEST(Fallback, CardsMayComeInAnyOrder) {
  using namespace dino_twist;
  dino_twist::Choice legal;
  legal.kind = Kind::Bury;
  legal.cards = {{Species::Aqua, 2, true}, {Species::Voli, 5, false}};
  Ask ask;
  ask.legal = {dino_twist::Choice{}, legal};
  std::swap(legal.cards[0], legal.cards[1]);
  EXPECT_EQ(number_of(ask, legal), 1u);
  legal.kind = Kind::Discard;
  EXPECT_THROW(number_of(ask, legal), NotLegal);
  EXPECT_THROW(number_of(ask, -1), NotLegal);
}

TEST(Outbox, WhatWaitsLeavesInOneFrameThatIsNotTooLarge) {
  Outbox outbox;
  for (int count = 0; count < 300; ++count) {
    v1::BotItem item;
    item.mutable_pong()->set_id(1);
    outbox.put(item);
  }
  v1::PlayRequest frame;
  ASSERT_TRUE(outbox.next(frame));
  EXPECT_EQ(frame.items_size(), 256);
  for (int count = 0; count < 200; ++count) {
    v1::BotItem item;
    item.mutable_choice()->set_fallback(std::string(800, 'x'));
    outbox.put(item);
  }
  outbox.close();
  int items = 256;
  while (outbox.next(frame)) {
    items += frame.items_size();
    EXPECT_LT(frame.ByteSizeLong(), 64u * 1024);
  }
  EXPECT_EQ(items, 500);
}

TEST(Line, NothingIsSentWithoutAStream) {
  Line line;
  line.put({});
  const auto outbox = line.open();
  line.close();
  v1::PlayRequest frame;
  EXPECT_FALSE(outbox->next(frame));
}

TEST(Reason, IsTheFirstWordWhereItLooksLikeOne) {
  EXPECT_EQ(first_reason("auth/bad_token: copy it again"), "auth/bad_token");
  for (const char* words : {"", "Socket closed", "a/b/c d", "/x", "x/", "Auth/bad"}) {
    EXPECT_EQ(first_reason(words), "") << words;
  }
}

TEST(Trouble, SaysWhatToDo) {
  const Address address = read_address("https://x:1", {});
  EXPECT_EQ(explain(address, "... Connection refused", false).reason, "server/absent");
  EXPECT_EQ(explain(address, "keepalive watchdog timeout", false).reason, "server/silent");
  EXPECT_TRUE(explain(address, "ssl: certificate verify failed", false).is_final);
  EXPECT_NE(explain(address, "Socket closed", false).sentence.find("--tls-cert"),
            std::string::npos);
  EXPECT_EQ(explain(address, "Socket closed", true).sentence,
            "the server at x:1 closed the connection");
  EXPECT_EQ(explain(address, "odd words", false).sentence, "odd words");
}

TEST(CommandLine, OptionsHaveTheirValueBehindOrAfterASign) {
  const CommandLine line =
      read_command_line({"--server", "a:1", "--name=mine", "--max-matches", "3", "--verbose"});
  EXPECT_EQ(line.settings.server, "a:1");
  EXPECT_EQ(line.settings.name, "mine");
  EXPECT_EQ(line.settings.max_matches, 3u);
  EXPECT_TRUE(line.is_verbose);
  EXPECT_TRUE(read_command_line({"--help"}).wants_help);
}

TEST(CommandLine, WhatIsNoOptionIsRefused) {
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{"--no"}, Words{"x"}, Words{"--server"},
                             Words{"--max-matches", "0"}, Words{"--max-matches", "x"}}) {
    EXPECT_THROW(read_command_line(words), BadSettings);
  }
}

TEST(Match, ItTellsTheShareOfACoreOfEverySeat) {
  v1::MatchStarted sent;
  sent.add_seats()->set_cpu_share(0.5);
  sent.add_seats();
  sent.mutable_draftosaurus();
  const Match match = read_match(sent);
  EXPECT_EQ(match.seats[0].cpu_share, 0.5);
  EXPECT_EQ(match.seats[1].cpu_share, 0);
}

TEST(Log, TimesAreThoseOfTheCalendar) {
  EXPECT_EQ(log::time_text(951'827'696), "2000-02-29 12:34:56");
}

}  // namespace
}  // namespace paddock
