package dev.paddock;

import dev.paddock.v1.ArenaServiceGrpc;
import dev.paddock.v1.PlayRequest;
import dev.paddock.v1.PlayResponse;
import dev.paddock.v1.RefereeItem;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One stream: frames of the server go to the session, and those of the outbox to the server.
 * Reading waits for nothing but the stream, so that a Ping is answered at once whatever the bot is
 * thinking about.
 */
final class Stream implements ClientResponseObserver<PlayRequest, PlayResponse>, AutoCloseable {
  private static final Logger LOG = Logger.getLogger("dev.paddock");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("paddock-reason", Metadata.ASCII_STRING_MARSHALLER);

  /** How a stream ended: its status, and the reason in its metadata; empty: none. */
  record End(Status status, String reason) {}

  private final Session session;
  private final Outbox outbox;
  private final CompletableFuture<End> ended = new CompletableFuture<>();
  private final Thread sender = new Thread(this::send, "paddock-send");
  private ClientCallStreamObserver<PlayRequest> call;

  private Stream(Session session) {
    this.session = session;
    this.outbox = session.connect();
    sender.setDaemon(true);
  }

  /** Opens a stream; without a token where it is empty. */
  static Stream open(Channel channel, String token, Session session) {
    Stream stream = new Stream(session);
    Metadata metadata = new Metadata();
    if (!token.isEmpty()) {
      metadata.put(AUTHORIZATION, "Bearer " + token);
    }
    ArenaServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .play(stream);
    stream.sender.start();
    return stream;
  }

  /** Completes when the stream ended. */
  CompletableFuture<End> ended() {
    return ended;
  }

  /** Ends this side of the stream when the last answers are sent; the server ends the other. */
  void finish() {
    outbox.close();
  }

  @Override
  public void close() {
    sender.interrupt();
    call.cancel("the stream is over", null);
  }

  private void send() {
    try {
      for (PlayRequest frame = outbox.next(call::isReady);
          frame != null;
          frame = outbox.next(call::isReady)) {
        call.onNext(frame);
      }
      call.onCompleted();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException over) {
      LOG.log(Level.FINE, "answers not sent: the stream is over", over);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<PlayRequest> started) {
    call = started;
    call.setOnReadyHandler(outbox::wake);
  }

  @Override
  public void onNext(PlayResponse frame) {
    for (RefereeItem item : frame.getItemsList()) {
      session.receive(outbox, item);
    }
  }

  @Override
  public void onError(Throwable error) {
    Metadata trailers = Status.trailersFromThrowable(error);
    String reason = trailers == null ? null : trailers.get(REASON);
    ended.complete(new End(Status.fromThrowable(error), reason == null ? "" : reason));
  }

  @Override
  public void onCompleted() {
    ended.complete(new End(Status.OK, ""));
  }
}
