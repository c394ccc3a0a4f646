// A bot in C++. `choose` is called for every decision; put your strategy there.
#include "paddock/paddock.h"

class Mine : public paddock::Bot {
 public:
  // One of `ask.legal`, or its number; `ask.view` is what this seat knows.
  paddock::Answer choose(const paddock::Ask& ask) override { return ask.below(ask.legal.size()); }

  std::string name() const override { return "@NAME@"; }
};

int main(int argc, char** argv) {
  Mine mine;
  return paddock::run_from_command_line(mine, argc, argv);
}
