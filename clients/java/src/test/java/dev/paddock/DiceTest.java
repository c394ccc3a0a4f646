package dev.paddock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DiceTest {
  private static final ByteString SEED =
      Dice.matchSeed(
          ByteString.copyFromUtf8("secret"), ByteString.copyFrom(new byte[] {1, 2, 3}), 2);

  @Test
  void diceAreTheSameInEveryLanguage() {
    Dice dice = new Dice(SEED, 7);
    long[][] drawn = {
      {1, 0},
      {2, 1},
      {6, 0},
      {100, 18},
      {1000, 822},
      {2147483648L, 1550373958},
      {4294967296L, 4159391217L},
      {3221225472L, 1597863352},
      {3221225472L, 1054516021},
      {3221225472L, 938244414},
      {10, 8},
      {10, 9}
    };
    for (long[] each : drawn) {
      assertEquals(each[1], dice.below(each[0]), "below " + each[0]);
    }
    assertThrows(IllegalArgumentException.class, () -> dice.below(0));
    assertThrows(IllegalArgumentException.class, () -> dice.below((1L << 32) + 1));
  }

  @Test
  void everyDecisionHasAGeneratorOfItsOwn() {
    long first = new Dice(SEED, 0).rng().nextLong();
    assertEquals(first, new Dice(SEED, 0).rng().nextLong());
    assertNotEquals(first, new Dice(SEED, 1).rng().nextLong());
  }

  @Test
  void waitsDoubleAndNeverExceedTenSeconds() {
    Backoff waits = new Backoff(new SplittableRandom(1));
    for (int failures = 0; failures < 40; failures++) {
      long most = Math.min(10_000, 100L << Math.min(failures, 20));
      long wait = waits.next(Duration.ofSeconds(1)).toMillis();
      assertTrue(wait >= 1000 && wait < 1000 + most, "after " + failures + " failures: " + wait);
    }
    waits.reset();
    assertTrue(waits.next(Duration.ZERO).compareTo(Backoff.FIRST) < 0);
  }
}
