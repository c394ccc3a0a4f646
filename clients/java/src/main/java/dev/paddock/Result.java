package dev.paddock;

import com.google.protobuf.ByteString;
import dev.paddock.v1.MatchEnded;
import java.util.List;

/**
 * The result of a match.
 *
 * @param seats by seat
 * @param seed that the deal came from; empty while other matches have the same deal
 * @param nonces by seat
 * @param voidReason why the match counts for nothing; empty: it counts
 * @param message the whole message, with the points in detail
 */
public record Result(
    List<SeatResult> seats,
    ByteString seed,
    List<ByteString> nonces,
    String voidReason,
    MatchEnded message) {
  /**
   * The result of a seat; rank 1 is best, and equal seats share a rank.
   *
   * @param faults decisions that the referee made
   * @param fallbacks decisions that the bot's client made
   */
  public record SeatResult(int total, int rank, boolean forfeit, int faults, int fallbacks) {}

  /**
   * Tells whether the seed is the one that the server committed to before the deal; it is true
   * while the seed is still secret.
   */
  public boolean keptItsWord(Match match) {
    return seed.isEmpty() || Digest.sha256(seed).equals(match.commitment());
  }

  static Result read(MatchEnded sent) {
    List<SeatResult> seats =
        sent.getSeatsList().stream()
            .map(
                seat ->
                    new SeatResult(
                        seat.getTotal(),
                        seat.getRank(),
                        seat.getForfeit(),
                        seat.getFaults(),
                        seat.getFallbacks()))
            .toList();
    return new Result(seats, sent.getSeed(), sent.getNoncesList(), sent.getVoidReason(), sent);
  }
}
