// A bot for the tests: with UNRULY=slow it thinks for long where it may, with UNRULY=failing it
// fails.
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "paddock/paddock.h"

namespace {

constexpr unsigned kLongMs = 3000;

class Unruly : public paddock::Bot {
 public:
  paddock::Answer choose(const paddock::Ask& ask) override {
    const char* how = std::getenv("UNRULY");
    if (how != nullptr && std::string(how) == "failing") throw std::runtime_error("no idea");
    if (ask.time_ms > kLongMs) std::this_thread::sleep_for(std::chrono::milliseconds(kLongMs));
    return 0;
  }

  std::string name() const override { return "unruly"; }
};

}  // namespace

int main(int argc, char** argv) {
  Unruly bot;
  return paddock::run_from_command_line(bot, argc, argv);
}
