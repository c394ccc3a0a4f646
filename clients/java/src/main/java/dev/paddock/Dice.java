package dev.paddock;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The random numbers of one decision. In a comparison all matches of a block have the same, so that
 * everybody has the same luck in them; docs/sample-bots.md tells how they are made.
 */
public final class Dice {
  private static final byte[] LABEL = "paddock-deal-1".getBytes(StandardCharsets.US_ASCII);
  private static final long WORDS = 1L << 32; // that there are

  private final ByteString seed;
  private ByteBuffer words = ByteBuffer.allocate(0); // of the present block
  private long block;
  private RandomGenerator rng;

  /** Makes the dice of a decision of a match; decisions count from 0. */
  public Dice(ByteString matchSeed, int decision) {
    byte[] number = ByteBuffer.allocate(4).putInt(decision).array();
    this.seed = Digest.sha256(matchSeed.concat(ByteString.copyFrom(number)));
  }

  /** Returns the seed of a seat's dice in a match. */
  public static ByteString matchSeed(ByteString secret, ByteString dice, int seat) {
    return Digest.sha256(secret.concat(dice).concat(ByteString.copyFrom(new byte[] {(byte) seat})));
  }

  /** Returns the secret of PADDOCK_DICE_SECRET, which several bots may share, or a new one. */
  static ByteString ownSecret() {
    String secret = System.getenv("PADDOCK_DICE_SECRET");
    return secret == null || secret.isEmpty() ? Digest.random(32) : ByteString.copyFromUtf8(secret);
  }

  /** Returns a number from 0 to n - 1, n at most 2^32, that bots in other languages draw alike. */
  public long below(long n) {
    if (n < 1 || n > WORDS) {
      throw new IllegalArgumentException("below: give a number from 1 to 2^32, not " + n);
    }
    long limit = WORDS - WORDS % n;
    long word = word();
    while (word >= limit) {
      word = word();
    }
    return word % n;
  }

  /** Returns a generator of this decision; it is Java's own, and the same until it is made. */
  public RandomGenerator rng() {
    if (rng == null) {
      rng = new SplittableRandom(seed.asReadOnlyByteBuffer().getLong());
    }
    return rng;
  }

  private long word() {
    if (!words.hasRemaining()) {
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(seed.toByteArray(), "HmacSHA256"));
        mac.update(LABEL);
        words = ByteBuffer.wrap(mac.doFinal(ByteBuffer.allocate(8).putLong(block++).array()));
      } catch (GeneralSecurityException impossible) {
        throw new IllegalStateException(impossible); // every Java has it
      }
    }
    return Integer.toUnsignedLong(words.getInt());
  }
}
