// A bot and a scripted referee, over gRPC.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "digest.h"
#include "paddock/paddock.h"
#include "referee.h"

namespace paddock {
namespace {

using Choose = std::function<Answer(const Ask&)>;

// A bot whose choices are a function, and that counts its calls.
class Scripted : public Bot {
 public:
  explicit Scripted(Choose choose) : choose_(std::move(choose)) {}

  Answer choose(const Ask& ask) override {
    ++calls;
    return choose_(ask);
  }
  std::string name() const override { return "scripted"; }
  std::string version() const override { return told_version; }

  std::atomic<int> calls{0};
  std::string told_version = "1";

 private:
  Choose choose_;
};

// A bot that plays until it is stopped.
class Playing : public testing::Test {
 protected:
  // Let the bot play at this server until `stop` is set or it is refused.
  void play_at(const std::string& server) {
    Settings settings;
    settings.server = server;
    settings.token = "pdk_1";
    settings.name = "mine";
    play(bot, settings, stop);
  }

  // The end of a script after which the bot is to stop.
  grpc::Status last() {
    stop.set();
    return grpc::Status::OK;
  }

  Choose choose = [](const Ask&) { return 1; };
  Scripted bot{[this](const Ask& ask) { return choose(ask); }};
  Stop stop;
};

TEST_F(Playing, HelloSaysWhoConnects) {
  const Referee referee({[this](Stream& stream) {
    const v1::Hello hello = stream.next().hello();
    EXPECT_EQ(stream.token, "Bearer pdk_1");
    EXPECT_EQ(hello.bot(), "mine");
    EXPECT_EQ(hello.protocol(), 1u);
    EXPECT_EQ(hello.max_matches(), 8u);
    EXPECT_TRUE(hello.formats().empty());
    EXPECT_EQ(hello.known_formats_size(), 8);
    EXPECT_TRUE(hello.sends_nonces() && hello.commits_nonces());
    EXPECT_EQ(hello.resume_token(), "");
    return last();
  }});
  play_at(referee.address());
}

TEST_F(Playing, AnAskToldAgainGetsTheSameAnswerAndAnotherViewAnotherChoice) {
  choose = [](const Ask& ask) { return ask.below(3); };
  const Referee referee({[this](Stream& stream) {
    stream.welcome();
    stream.next();  // the nonce
    stream.tell({ask(5, 0)});
    const v1::Choice first = stream.next().choice();
    stream.tell({ask(5, 0), ask(5, 0)});
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_EQ(stream.next().choice().SerializeAsString(), first.SerializeAsString());
    }
    EXPECT_EQ(bot.calls, 1);
    stream.tell({ask(5, 1)});
    EXPECT_EQ(stream.next().choice().ask_id(), 5u);
    EXPECT_EQ(bot.calls, 2);
    return last();
  }});
  play_at(referee.address());
}

TEST_F(Playing, ALostStreamIsResumedWithTheSameNonceAndTheSameAnswer) {
  std::string nonce;
  std::string answer;
  const Referee referee({[&](Stream& stream) {
                           stream.welcome();
                           nonce = stream.next().nonce().nonce();
                           stream.tell({ask(5, 0)});
                           answer = stream.next().choice().SerializeAsString();
                           return grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone");
                         },
                         [&](Stream& stream) {
                           EXPECT_EQ(stream.welcome().resume_token(), "again");
                           EXPECT_EQ(nonce.size(), 16u);
                           EXPECT_EQ(stream.next().nonce().nonce(), nonce);
                           stream.tell({ask(5, 0)});
                           EXPECT_EQ(stream.next().choice().SerializeAsString(), answer);
                           EXPECT_EQ(bot.calls, 1);
                           return last();
                         }});
  play_at(referee.address());
}

TEST_F(Playing, AChooseThatFailsIsAnsweredWithAFallback) {
  choose = [](const Ask& ask) -> Answer {
    if (ask.id == 1) throw std::runtime_error("no idea");
    if (ask.id == 2) throw 7;
    if (ask.id == 3) return 9;
    return ask.legal[1];
  };
  const Referee referee({[this](Stream& stream) {
    stream.welcome();
    stream.next();  // the nonce
    const std::vector<std::string> reasons{
        "std::runtime_error: no idea", "a thrown int",
        "choose returned 9, which is not the number of one of 3 legal choices", ""};
    for (unsigned id = 1; id <= 4; ++id) {
      stream.tell({ask(id, id)});
      const v1::Choice choice = stream.next().choice();
      EXPECT_EQ(choice.fallback(), reasons[id - 1]);
      EXPECT_EQ(choice.number(), id == 4 ? 1u : 2u);  // 2 is the river
    }
    return last();
  }});
  play_at(referee.address());
}

TEST_F(Playing, PingsAreAnsweredWhileTheBotThinks) {
  std::promise<void> go_on;
  choose = [&](const Ask&) {
    go_on.get_future().wait();
    return 0;
  };
  const Referee referee({[&](Stream& stream) {
    stream.welcome();
    stream.next();  // the nonce
    stream.tell({ask(1, 0), ping(70)});
    stream.tell({ping(71)});
    EXPECT_EQ(stream.next().pong().id(), 70u);
    EXPECT_EQ(stream.next().pong().id(), 71u);
    go_on.set_value();
    EXPECT_EQ(stream.next().choice().ask_id(), 1u);
    return last();
  }});
  play_at(referee.address());
}

TEST_F(Playing, NoncesInTwoStepsAreBoundBeforeTheyAreTold) {
  const Referee referee({[this](Stream& stream) {
    stream.next();  // Hello
    stream.tell({started(true), started(true)});
    const std::string digest = stream.next().nonce_commitment().digest();
    EXPECT_EQ(stream.next().nonce_commitment().digest(), digest);
    const auto told = [](const std::string& other, const std::string& own) {
      v1::RefereeItem item;
      item.mutable_nonce_commitments()->set_match_id("m1");
      item.mutable_nonce_commitments()->add_digests(other);
      item.mutable_nonce_commitments()->add_digests(own);
      return item;
    };
    const std::string other(32, 'a');
    stream.tell({told(other, std::string(32, 'b')), started(false), ping(1)});
    EXPECT_EQ(stream.next().pong().id(), 1u);  // no nonce: another digest, and it is bound
    stream.tell({told(other, digest)});
    const std::string nonce = stream.next().nonce().nonce();
    EXPECT_EQ(nonce.size(), 16u);
    EXPECT_EQ(sha256(nonce), digest);
    stream.tell({told(std::string(32, 'c'), digest), ping(2)});
    EXPECT_EQ(stream.next().pong().id(), 2u);  // no nonce: the other digest was another before
    return last();
  }});
  play_at(referee.address());
}

TEST_F(Playing, AVersionIsCutAtACharacter) {
  for (int turn = 0; turn < 30; ++turn) bot.told_version += "\u00df\u20ac";
  const Referee referee({[this](Stream& stream) {
    EXPECT_EQ(stream.next().hello().version(), bot.told_version.substr(0, 98));
    return last();
  }});
  play_at(referee.address());
}

TEST_F(Playing, AMatchWithoutTheBotsSeatIsPassedOver) {
  const Referee referee({[this](Stream& stream) {
    stream.welcome();
    stream.next();  // the nonce
    v1::RefereeItem odd = started();
    odd.mutable_match_started()->set_match_id("m2");
    odd.mutable_match_started()->set_seat(3);
    stream.tell({odd, ask(1, 0)});
    EXPECT_EQ(stream.next().choice().ask_id(), 1u);
    return last();
  }});
  play_at(referee.address());
}

TEST(Run, ABotWhoseMethodThrowsEndsWithAnError) {
  class Broken : public Scripted {
    using Scripted::Scripted;
    std::string version() const override { throw std::logic_error("no version"); }
  } broken([](const Ask&) { return 0; });
  EXPECT_EXIT(std::_Exit(run(broken, {})), testing::ExitedWithCode(1),
              "std::logic_error: no version");
}

TEST_F(Playing, ARefusalEndsTheBot) {
  const Referee referee({[](Stream& stream) {
    stream.next();
    return grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "auth/bad_token: copy it again");
  }});
  try {
    play_at(referee.address());
    FAIL();
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.reason, "auth/bad_token");
    EXPECT_STREQ(refused.what(), "auth/bad_token: copy it again");
    EXPECT_EQ(refused.exit_code, 2);
  }
}

TEST_F(Playing, AGoodbyeSaysWhetherToComeBack) {
  const auto leaves_for = [](unsigned ms) {
    return [ms](Stream& stream) {
      stream.welcome();
      stream.tell({goodbye(ms)});
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "server/draining: it stops");
    };
  };
  const Referee referee({leaves_for(50), leaves_for(0)});
  EXPECT_THROW(play_at(referee.address()), Refused);
}

TEST_F(Playing, TheNextServerOfAListIsTried) {
  const Referee referee({[this](Stream& stream) {
    stream.welcome();
    return last();
  }});
  play_at("127.0.0.1:1," + referee.address());
}

TEST_F(Playing, ASocketOfThisMachineWillDo) {
  const auto path =
      std::filesystem::temp_directory_path() / ("paddock-" + std::to_string(getpid()) + ".sock");
  const Script script = [this](Stream& stream) {
    stream.welcome();
    return last();
  };
  const Referee referee({script}, "unix:" + path.string());
  play_at(referee.address());
  EXPECT_EQ(bot.calls, 0);
}

TEST_F(Playing, ABotThatWasMovedComesHomeWhenTheOtherServerIsGone) {
  auto other = std::make_unique<Referee>(std::deque<Script>{[](Stream& stream) {
    stream.welcome();
    return grpc::Status::OK;
  }});
  const Referee home({[&](Stream& stream) {
                        stream.welcome();
                        stream.tell({goodbye(1, other->address())});
                        return grpc::Status::OK;
                      },
                      [this](Stream& stream) {
                        EXPECT_EQ(stream.welcome().resume_token(), "again");
                        return last();
                      }});
  play_at(home.address());
}

TEST_F(Playing, AStoppedBotSendsWhatItHasAndEndsItsStream) {
  bool has_ended = false;
  const Referee referee({[&](Stream& stream) {
    stream.welcome();
    EXPECT_TRUE(stream.next().has_nonce());
    stop.set();
    has_ended = stream.next().item_case() == v1::BotItem::ITEM_NOT_SET;
    return grpc::Status::OK;
  }});
  play_at(referee.address());
  EXPECT_TRUE(has_ended);
}

TEST_F(Playing, WhatANewerServerSaysIsPassedOver) {
  const Referee referee({[this](Stream& stream) {
    stream.welcome();
    stream.next();  // the nonce
    v1::RefereeItem newer = started();
    newer.mutable_match_started()->set_match_id("m2");
    newer.mutable_match_started()->clear_rules();
    stream.tell({newer, {}, ask(1, 0)});
    EXPECT_EQ(stream.next().choice().ask_id(), 1u);
    return last();
  }});
  play_at(referee.address());
}

}  // namespace
}  // namespace paddock
