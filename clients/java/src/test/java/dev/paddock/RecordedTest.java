package dev.paddock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import dev.paddock.bots.CarefulBot;
import dev.paddock.bots.GreedyBot;
import dev.paddock.bots.RandomBot;
import dev.paddock.v1.DraftosaurusRules;
import dev.paddock.v1.MatchStarted;
import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedTest {
  @Test
  void aMatchTellsTheShareOfACoreOfEverySeat() {
    MatchStarted sent =
        MatchStarted.newBuilder()
            .addSeats(dev.paddock.v1.Seat.newBuilder().setBot("hosted").setCpuShare(0.5))
            .addSeats(dev.paddock.v1.Seat.newBuilder().setBot("mine"))
            .setDraftosaurus(DraftosaurusRules.getDefaultInstance())
            .build();
    List<Double> shares = Match.read(sent).seats().stream().map(Seat::cpuShare).toList();
    assertEquals(List.of(0.5, 0.0), shares);
  }

  @Test
  void theSampleBotsChooseAsRecorded() {
    File[] files = Recorded.FOLDER.toFile().listFiles((folder, name) -> name.endsWith(".json"));
    assertEquals(Ask.FORMATS.size(), files.length);
    for (String format : Ask.FORMATS) {
      Recorded file = Recorded.read(format);
      for (Recorded.OneMatch one : file.matches) {
        Match match = Match.read(one.message());
        ByteString secret = ByteString.copyFromUtf8(file.secret);
        ByteString seed = Dice.matchSeed(secret, match.dice(), match.seat());
        for (int decision = 0; decision < one.asks.size(); decision++) {
          Recorded.OneAsk each = one.asks.get(decision);
          Ask ask = Ask.read(each.message(), match, new Dice(seed, decision));
          List<Integer> want = List.of(each.random, each.greedy, each.careful);
          List<Integer> got =
              List.of(
                  new RandomBot().choose(ask),
                  new GreedyBot().choose(ask),
                  new CarefulBot().choose(ask));
          assertEquals(want, got, format + ", decision " + decision);
        }
      }
    }
  }
}
