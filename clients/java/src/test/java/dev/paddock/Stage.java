package dev.paddock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.protobuf.ByteString;
import dev.paddock.v1.ArenaServiceGrpc;
import dev.paddock.v1.BotItem;
import dev.paddock.v1.Goodbye;
import dev.paddock.v1.Hello;
import dev.paddock.v1.MatchStarted;
import dev.paddock.v1.NonceCommitments;
import dev.paddock.v1.Ping;
import dev.paddock.v1.PlayRequest;
import dev.paddock.v1.PlayResponse;
import dev.paddock.v1.RefereeItem;
import dev.paddock.v1.Welcome;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server that a test plays. */
final class Stage extends ArenaServiceGrpc.ArenaServiceImplBase implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30; // for what has to come

  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> stop = new CompletableFuture<>();
  private final EventLoopGroup loop; // of a Unix socket
  private final Server server;
  private final String address;

  Stage() throws IOException {
    SocketAddress here = new InetSocketAddress("127.0.0.1", 0);
    loop = null;
    server = NettyServerBuilder.forAddress(here).addService(this).build().start();
    address = "127.0.0.1:" + server.getPort();
  }

  /** Makes a stage on a Unix socket. */
  Stage(Path path) throws IOException {
    loop = new EpollEventLoopGroup(1);
    server =
        NettyServerBuilder.forAddress(new DomainSocketAddress(path.toFile()))
            .channelType(EpollServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .addService(this)
            .build()
            .start();
    address = "unix:" + path;
  }

  String address() {
    return address;
  }

  /** Stops the bot, and then the server. */
  @Override
  public void close() {
    stop.complete(null);
    server.shutdownNow();
    if (loop != null) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  /** Asks the bot to stop, as a signal does. */
  void stopBot() {
    stop.complete(null);
  }

  @Override
  public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> responses) {
    Call call = new Call(responses);
    calls.add(call);
    return call;
  }

  /** Runs a bot against the stage; the result completes as `play` ends. */
  CompletableFuture<Void> start(Bot bot) {
    return start(bot, address());
  }

  CompletableFuture<Void> start(Bot bot, String addresses) {
    Settings settings = new Settings().server(addresses).name("tested").token("pdk_1");
    return CompletableFuture.runAsync(
        () -> Paddock.play(bot, settings, stop), work -> new Thread(work).start());
  }

  /** Returns what `play` threw; null: nothing. */
  static Throwable end(CompletableFuture<Void> playing) throws Exception {
    try {
      playing.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException ended) {
      return ended.getCause();
    } catch (TimeoutException late) {
      throw new AssertionError("the bot does not end", late);
    }
  }

  /** Takes the next stream up to Welcome. */
  Call welcome() throws InterruptedException {
    Call call = calls.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertNotNull(call, "nobody connects");
    BotItem first = call.next();
    assertEquals(BotItem.ItemCase.HELLO, first.getItemCase());
    call.hello = first.getHello();
    call.say(
        RefereeItem.newBuilder().setWelcome(Welcome.newBuilder().setResumeToken("again")).build());
    return call;
  }

  /** One stream of a bot. */
  static final class Call implements StreamObserver<PlayRequest> {
    Hello hello;
    private final StreamObserver<PlayResponse> responses;
    private final BlockingQueue<BotItem> heard = new LinkedBlockingQueue<>();

    private Call(StreamObserver<PlayResponse> responses) {
      this.responses = responses;
    }

    void say(RefereeItem... items) {
      responses.onNext(PlayResponse.newBuilder().addAllItems(List.of(items)).build());
    }

    BotItem next() throws InterruptedException {
      BotItem item = heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertNotNull(item, "the bot says nothing");
      return item;
    }

    void end(Status status) {
      if (status.isOk()) {
        responses.onCompleted();
      } else {
        responses.onError(status.asRuntimeException());
      }
    }

    @Override
    public void onNext(PlayRequest frame) {
      heard.addAll(frame.getItemsList());
    }

    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {
      responses.onCompleted();
    }
  }

  static RefereeItem started(MatchStarted match) {
    return RefereeItem.newBuilder().setMatchStarted(match).build();
  }

  static RefereeItem ask(dev.paddock.v1.Ask ask) {
    return RefereeItem.newBuilder().setAsk(ask).build();
  }

  static RefereeItem ping(long id) {
    return RefereeItem.newBuilder().setPing(Ping.newBuilder().setId(id)).build();
  }

  static RefereeItem goodbye(Goodbye.Builder goodbye) {
    return RefereeItem.newBuilder().setGoodbye(goodbye).build();
  }

  static RefereeItem digests(String matchId, List<ByteString> digests) {
    NonceCommitments.Builder all = NonceCommitments.newBuilder().setMatchId(matchId);
    return RefereeItem.newBuilder().setNonceCommitments(all.addAllDigests(digests)).build();
  }
}
