package dev.paddock;

import dev.paddock.PaddockException.BadSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a command line asks for, besides the settings. */
record CommandLine(boolean help, boolean verbose) {
  private static final String USAGE =
      """
      %s

      options:
        --server HOST:PORT  the server, or https://HOST:PORT, or a list with commas; default %s
        --token TOKEN       the bot's token; better in PADDOCK_TOKEN
        --name NAME         the bot's name on the server; default %s
        --tls-ca FILE       the file of the server's CA, PEM; turns TLS on
        --tls-cert FILE     the bot's own certificate, PEM
        --tls-key FILE      the key of the bot's certificate, PEM
        --max-matches N     most matches at once; default %d
        --verbose           log every decision

      Missing options are taken from PADDOCK_SERVER, PADDOCK_TOKEN, PADDOCK_TLS_CA and PADDOCK_BOT.
      """;

  static String usage(String description, Settings settings) {
    String name = Settings.firstOf(settings.ownName(), "the name of its class");
    return String.format(USAGE, description, Address.DEFAULT, name, Settings.USUAL_MATCHES);
  }

  /** Reads the options of a command line into the settings; throws BadSettings for others. */
  static CommandLine read(String[] arguments, Settings settings) {
    Map<String, Consumer<String>> options =
        Map.of(
            "--server", settings::server,
            "--token", settings::token,
            "--name", settings::calledName,
            "--tls-ca", settings::tlsCa,
            "--tls-cert", settings::tlsCert,
            "--tls-key", settings::tlsKey,
            "--max-matches", text -> settings.maxMatches(matches(text)));
    boolean help = false;
    boolean verbose = false;
    Deque<String> words = new ArrayDeque<>(List.of(arguments));
    while (!words.isEmpty()) {
      String[] parts = words.remove().split("=", 2);
      String option = parts[0];
      if (options.containsKey(option)) {
        String value = parts.length > 1 ? parts[1] : words.poll();
        if (value == null) {
          throw new BadSettings(option + ": a value is missing");
        }
        options.get(option).accept(value);
      } else if (parts.length == 1 && (option.equals("--help") || option.equals("-h"))) {
        help = true;
      } else if (parts.length == 1 && option.equals("--verbose")) {
        verbose = true;
      } else {
        throw new BadSettings("unknown argument \"" + option + "\"");
      }
    }
    return new CommandLine(help, verbose);
  }

  private static int matches(String text) {
    try {
      int count = Integer.parseInt(text);
      if (count > 0) {
        return count;
      }
    } catch (NumberFormatException wrong) {
      // said below
    }
    throw new BadSettings("--max-matches: give 1 or more, not " + text);
  }
}
