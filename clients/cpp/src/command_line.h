// What a command line asks for.
#pragma once

#include <string>
#include <vector>

#include "paddock/paddock.h"

namespace paddock {

struct CommandLine {
  Settings settings;
  bool is_verbose = false;
  bool wants_help = false;
};

// The options in the words of a command line; throws BadSettings.
CommandLine read_command_line(const std::vector<std::string>& words);

}  // namespace paddock
