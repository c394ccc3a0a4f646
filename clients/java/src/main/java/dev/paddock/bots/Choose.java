package dev.paddock.bots;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.paddock.Ask;
import dev.paddock.Bot;
import dev.paddock.Dice;
import dev.paddock.Match;
import dev.paddock.game.Unreadable;
import dev.paddock.v1.MatchStarted;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;

/**
 * Answers recorded asks as the sample bots do, so that all languages can be compared.
 *
 * <p>It reads lines: "match SECRET BASE64" with a MatchStarted begins a match, and "ask BASE64" is
 * an Ask of it, for which it prints the numbers that random, greedy and careful choose.
 */
public final class Choose {
  private static final List<Bot> BOTS = List.of(new RandomBot(), new GreedyBot(), new CarefulBot());

  private Match match;
  private ByteString seed;
  private int decision;

  private Choose() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
    BufferedReader lines = new BufferedReader(input);
    Choose choose = new Choose();
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      try {
        choose.take(line.strip().split("\\s+"));
      } catch (Exception wrong) { // a bot's choose may throw anything
        System.err.println("line " + number + ": " + wrong.getMessage());
        System.exit(1);
      }
    }
  }

  private void take(String[] words) throws Exception {
    if (words.length == 3 && words[0].equals("match")) {
      begin(words[1], decoded(words[2]));
    } else if (words.length == 2 && words[0].equals("ask") && match != null) {
      answer(decoded(words[1]));
    } else {
      throw new Unreadable("write \"match SECRET BASE64\", then \"ask BASE64\"");
    }
  }

  private static byte[] decoded(String text) {
    return Base64.getDecoder().decode(text);
  }

  private void begin(String secret, byte[] message) throws InvalidProtocolBufferException {
    match = Match.read(MatchStarted.parseFrom(message));
    seed = Dice.matchSeed(ByteString.copyFromUtf8(secret), match.dice(), match.seat());
    decision = 0;
  }

  private void answer(byte[] message) throws Exception {
    dev.paddock.v1.Ask sent = dev.paddock.v1.Ask.parseFrom(message);
    Ask ask = Ask.read(sent, match, new Dice(seed, decision++));
    StringJoiner numbers = new StringJoiner(" ");
    for (Bot bot : BOTS) {
      numbers.add(Integer.toString(bot.choose(ask)));
    }
    System.out.println(numbers);
  }
}
