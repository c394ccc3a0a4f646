// The sample bots, described choice by choice in docs/sample-bots.md.
#pragma once

#include "paddock/bot.h"

namespace paddock::bots {

// A bot that plays any legal choice.
class Random : public Bot {
 public:
  Answer choose(const Ask& ask) override;
  std::string name() const override { return "random"; }
  std::string about() const override { return "A bot that plays any legal choice."; }
};

// A bot that takes the best immediate points.
class Greedy : public Bot {
 public:
  Answer choose(const Ask& ask) override;
  std::string name() const override { return "greedy"; }
  std::string about() const override { return "A bot that takes the best immediate points."; }
};

// A bot that considers later turns and what it leaves to others.
class Careful : public Bot {
 public:
  Answer choose(const Ask& ask) override;
  std::string name() const override { return "careful"; }
  std::string about() const override {
    return "A bot that considers later turns and what it leaves to others.";
  }
};

}  // namespace paddock::bots
