// The bot `greedy` of docs/sample-bots.md.
#include "paddock/bots.h"
#include "paddock/paddock.h"

int main(int argc, char** argv) {
  paddock::bots::Greedy bot;
  return paddock::run_from_command_line(bot, argc, argv);
}
