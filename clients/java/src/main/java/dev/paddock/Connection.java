package dev.paddock;

import dev.paddock.PaddockException.Unreachable;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/** One stream after the other, until the bot stops or is refused. */
record Connection(Route route, String token, Session session, CompletableFuture<Void> stop) {
  private static final Logger LOG = Logger.getLogger("dev.paddock");
  private static final Duration FAREWELL = Duration.ofSeconds(2); // for the last answers to leave

  /**
   * Plays over as many streams as needed, until `stop` completes. Throws Refused, or Unreachable
   * where there was no connection for `giveUpAfter`, if that is not zero.
   */
  void stay(Duration giveUpAfter) {
    Backoff waits = new Backoff(new SplittableRandom());
    long connected = System.nanoTime(); // when a session was last open
    while (true) {
      long began = System.nanoTime();
      Address server = route.next();
      Optional<Ending> ended = converse(server);
      if (ended.isEmpty()) {
        return;
      }
      Ending ending = ended.get();
      if (ending.welcomed()) {
        connected = System.nanoTime();
        if (since(began).compareTo(Backoff.LONGEST) > 0) {
          waits.reset(); // but keep waiting longer for a server that hangs up at once
        }
      } else {
        route.failed();
      }
      if (!ending.moved().isEmpty()) {
        route.move(ending.moved());
      }
      if (!giveUpAfter.isZero() && since(connected).compareTo(giveUpAfter) >= 0) {
        throw new Unreachable(server.target() + ": " + ending.sentence());
      }
      Duration wait = waits.next(ending.returnAfter());
      LOG.warning(
          String.format(
              "no connection to %s: %s; next attempt in %.1f s at %s",
              server.target(), ending.sentence(), wait.toMillis() / 1000.0, route.next().target()));
      if (completes(stop, wait)) {
        return;
      }
    }
  }

  private static Duration since(long moment) {
    return Duration.ofNanos(System.nanoTime() - moment);
  }

  /** Plays on one stream until it ends; empty: `stop` completed. Throws Refused if it is final. */
  private Optional<Ending> converse(Address server) {
    ManagedChannel channel = Dialing.dial(server);
    try (Stream stream = Stream.open(channel, token, session)) {
      CompletableFuture.anyOf(stream.ended(), stop).join();
      if (stop.isDone()) {
        stream.finish(); // the server ends the stream when it has read the last answers
        completes(stream.ended(), FAREWELL);
        session.disconnect();
        return Optional.empty();
      }
      return Optional.of(Ending.of(stream.ended().join(), server, session.disconnect()));
    } finally {
      channel.shutdownNow();
    }
  }

  private static boolean completes(CompletableFuture<?> future, Duration within) {
    CompletableFuture<Boolean> waited = future.thenApply(done -> true);
    return waited.completeOnTimeout(false, within.toMillis(), TimeUnit.MILLISECONDS).join();
  }
}
