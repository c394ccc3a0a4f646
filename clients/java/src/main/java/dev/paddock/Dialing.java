package dev.paddock;

import dev.paddock.PaddockException.BadSettings;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * New connections to a server. Every attempt has one of its own: {@link Backoff} decides how long
 * an attempt waits, not an earlier connection.
 */
final class Dialing {
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  static {
    if (GRPC.getLevel()
        == null) { // its warnings have stacks, and Trouble says the same in a sentence
      GRPC.setLevel(Level.SEVERE);
    }
  }

  private Dialing() {}

  static ManagedChannel dial(Address address) {
    boolean isUnix = address.target().startsWith(Address.UNIX);
    NettyChannelBuilder builder =
        isUnix
            ? unix(address.target())
            : NettyChannelBuilder.forTarget("dns:///" + address.target());
    if (address.tls() == null) {
      builder.usePlaintext();
    } else {
      builder.sslContext(address.tls().context());
    }
    return builder
        .directExecutor() // a session never waits
        .disableRetry()
        .keepAliveTime(10, TimeUnit.SECONDS) // a server that froze or lost its network says nothing
        .keepAliveTimeout(5, TimeUnit.SECONDS)
        .build();
  }

  private static NettyChannelBuilder unix(String target) {
    if (!Epoll.isAvailable()) {
      throw new BadSettings("server: unix:PATH works on Linux only; write HOST:PORT");
    }
    String path = target.substring(Address.UNIX.length());
    return NettyChannelBuilder.forAddress(new DomainSocketAddress(path))
        .overrideAuthority("localhost")
        .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
        .eventLoopGroup(Sockets.LOOP);
  }

  /** Made when the first socket of this kind is used. */
  private static final class Sockets {
    static final EventLoopGroup LOOP =
        new EpollEventLoopGroup(1, new DefaultThreadFactory("paddock-unix", true));
  }
}
