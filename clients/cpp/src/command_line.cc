// The command line of bots.
#include "command_line.h"

#include <cstdio>
#include <iostream>

#include "log.h"

namespace paddock {

namespace {

std::string help(const Bot& bot, const std::string& program) {
  return "usage: " + program + " [options]\n\n" + bot.about() +
         "\n\n"
         "options:\n"
         "  -h, --help          show this help message and exit\n"
         "  --server HOST:PORT  the server, or https://HOST:PORT or unix:PATH, or several with\n"
         "                      commas between them; default " +
         kDefaultServer +
         "\n"
         "  --token TOKEN       the bot's token; better in PADDOCK_TOKEN\n"
         "  --name NAME         the bot's name on the server; default " +
         bot.name() +
         "\n"
         "  --tls-ca FILE       the file of the server's CA, PEM; turns TLS on\n"
         "  --tls-cert FILE     the bot's own certificate, PEM\n"
         "  --tls-key FILE      the key of the bot's certificate, PEM\n"
         "  --max-matches N     most matches at once; default " +
         std::to_string(bot.max_matches()) +
         "\n"
         "  --verbose           log every decision\n\n"
         "Missing options are taken from PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and "
         "PADDOCK_BOT.\n";
}

unsigned read_count(const std::string& option, const std::string& text) {
  const bool is_number = !text.empty() && text.size() <= 9 &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  const unsigned number = is_number ? static_cast<unsigned>(std::stoul(text)) : 0;
  if (number == 0) throw BadSettings(option + ": give 1 or more, not \"" + text + "\"");
  return number;
}

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& words) {
  CommandLine line;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::size_t sign = words[at].find('=');
    const std::string option = words[at].substr(0, sign);
    const auto value = [&]() -> std::string {
      if (sign != std::string::npos) return words[at].substr(sign + 1);
      if (++at == words.size()) throw BadSettings(option + ": give a value");
      return words[at];
    };
    Settings& settings = line.settings;
    if (option == "-h" || option == "--help") {
      line.wants_help = true;
    } else if (option == "--verbose") {
      line.is_verbose = true;
    } else if (option == "--server") {
      settings.server = value();
    } else if (option == "--token") {
      settings.token = value();
    } else if (option == "--name") {
      settings.name = value();
    } else if (option == "--tls-ca") {
      settings.tls_ca = value();
    } else if (option == "--tls-cert") {
      settings.tls_cert = value();
    } else if (option == "--tls-key") {
      settings.tls_key = value();
    } else if (option == "--max-matches") {
      settings.max_matches = read_count(option, value());
    } else {
      throw BadSettings("there is no option \"" + option + "\"");
    }
  }
  return line;
}

int run_from_command_line(Bot& bot, int argc, char** argv) {
  const std::string program = argc > 0 ? argv[0] : "bot";
  try {
    const CommandLine line = read_command_line({argv + (argc > 0 ? 1 : 0), argv + argc});
    if (line.wants_help) {
      std::cout << help(bot, program);
      return 0;
    }
    log::set_verbose(line.is_verbose);
    return run(bot, line.settings);
  } catch (const BadSettings& problem) {
    std::cerr << program << ": " << problem.what() << "; --help lists the options\n";
    return problem.exit_code;
  }
}

}  // namespace paddock
