package dev.paddock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paddock.PaddockException.BadSettings;
import dev.paddock.bots.GreedyBot;
import dev.paddock.v1.Hello;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final Map<String, String> BOT = Map.of("PADDOCK_BOT", "env");

  @Test
  void theCommandLineCountsMost() {
    Settings settings = new Settings().name("own");
    String[] words = {"--server", "localhost:1", "--name=cli", "--max-matches", "3", "--verbose"};
    assertTrue(CommandLine.read(words, settings).verbose());
    Hello hello = settings.hello(new GreedyBot(), BOT);
    assertEquals("cli", hello.getBot());
    assertEquals(3, hello.getMaxMatches());
    assertEquals("localhost:1", settings.addresses(Map.of()).get(0).target());
  }

  @Test
  void wrongCommandLinesAreRefused() {
    List<String[]> lines =
        List.of(
            new String[] {"--max-matches", "0"},
            new String[] {"--max-matches", "x"},
            new String[] {"--max-matches"},
            new String[] {"--verbose=1"},
            new String[] {"--what"},
            new String[] {"what"});
    for (String[] line : lines) {
      assertThrows(BadSettings.class, () -> CommandLine.read(line, new Settings()), line[0]);
    }
    assertTrue(CommandLine.read(new String[] {"--help"}, new Settings()).help());
    assertTrue(CommandLine.usage("A bot.", new Settings()).contains("--tls-ca FILE"));
  }

  @Test
  void aBotHasAName() {
    assertEquals("env", new Settings().name("own").hello(new GreedyBot(), BOT).getBot());
    assertEquals("own", new Settings().name("own").hello(new GreedyBot(), Map.of()).getBot());
    assertEquals("GreedyBot", new Settings().hello(new GreedyBot(), Map.of()).getBot());
    assertEquals(
        40, new Settings().version("v".repeat(50)).hello(ask -> 0, BOT).getVersion().length());
    assertThrows(BadSettings.class, () -> new Settings().maxMatches(0).hello(ask -> 0, BOT));
  }

  @Test
  void tokens() {
    assertEquals("pdk_1", new Settings().token(" pdk_1\n").token(Map.of()));
    assertEquals("pdk_2", new Settings().token(Map.of("PADDOCK_TOKEN", "pdk_2")));
    assertThrows(BadSettings.class, () -> new Settings().token("pdk\0").token(Map.of()));
  }
}
