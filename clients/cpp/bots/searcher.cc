// A bot that looks ahead: `careful` of docs/sample-bots.md, which weighs what every choice still
// promises, and what it leaves to others.
#include "paddock/bots.h"
#include "paddock/paddock.h"

int main(int argc, char** argv) {
  paddock::bots::Careful bot;
  return paddock::run_from_command_line(bot, argc, argv);
}
