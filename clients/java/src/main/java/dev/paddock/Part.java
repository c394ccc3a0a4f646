package dev.paddock;

import com.google.protobuf.ByteString;
import dev.paddock.v1.BotItem;
import dev.paddock.v1.Nonce;
import dev.paddock.v1.NonceCommitment;
import java.util.List;
import java.util.Optional;

/**
 * The part of this client in a deal: its nonce, which it sends in one step or in two.
 *
 * <p>It is the same on every stream, and it is opened only to a server that told the digests of all
 * seats before, the same ones every time.
 */
final class Part {
  private static final ByteString NO_NONCE = ByteString.copyFrom(new byte[16]);

  private final String matchId;
  private final int seat;
  private final ByteString nonce = Digest.random(16);
  private boolean committed; // whether the digest was sent
  private List<ByteString> digests = List.of(); // of all seats, as they were told first

  Part(String matchId, int seat) {
    this.matchId = matchId;
    this.seat = seat;
  }

  /**
   * Returns the answer to MatchStarted; empty: the digest was sent before, and is not wanted now.
   */
  Optional<BotItem> begin(boolean commit) {
    if (!commit) {
      return committed ? Optional.empty() : Optional.of(opened());
    }
    committed = true;
    NonceCommitment.Builder commitment = NonceCommitment.newBuilder().setMatchId(matchId);
    commitment.setDigest(Digest.sha256(nonce));
    return Optional.of(BotItem.newBuilder().setNonceCommitment(commitment).build());
  }

  /** Returns the answer to NonceCommitments; empty: they are wrong, and the nonce stays secret. */
  Optional<BotItem> told(List<ByteString> told) {
    boolean mine = seat < told.size() && told.get(seat).equals(Digest.sha256(nonce));
    boolean changed = !digests.isEmpty() && !digests.equals(told);
    if (!committed || !mine || changed) {
      return Optional.empty();
    }
    digests = List.copyOf(told);
    return Optional.of(opened());
  }

  /** Returns what is wrong with the nonces that the deal was made of; empty: nothing is. */
  String wrong(List<ByteString> nonces) {
    if (digests.isEmpty()) {
      return "";
    }
    if (nonces.size() != digests.size()) {
      return "the server tells " + nonces.size() + " nonces of " + digests.size() + " seats";
    }
    for (int other = 0; other < nonces.size(); other++) {
      ByteString opened = nonces.get(other);
      if (!opened.equals(NO_NONCE) && !Digest.sha256(opened).equals(digests.get(other))) {
        return "the nonce of seat " + other + " does not fit the digest that was told before";
      }
    }
    if (!nonces.get(seat).equals(nonce)) {
      return "the deal was made without the nonce of this seat, as if it had been late";
    }
    return "";
  }

  private BotItem opened() {
    Nonce.Builder opened = Nonce.newBuilder().setMatchId(matchId).setNonce(nonce);
    return BotItem.newBuilder().setNonce(opened).build();
  }
}
