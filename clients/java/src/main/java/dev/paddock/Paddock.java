package dev.paddock;

import dev.paddock.v1.Hello;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The run of a bot: it connects, reconnects, and ends when it is stopped or refused. */
public final class Paddock {
  /** The version of this SDK. */
  public static final String VERSION = "0.1.0";

  private static final Logger LOG = Logger.getLogger("dev.paddock");
  private static final String FORMAT = "java.util.logging.SimpleFormatter.format";
  private static final int FAREWELL_SECONDS = 10; // for all that is left to do, when stopped

  private Paddock() {}

  /** Runs the bot with the options of the command line; {@code --help} lists them. */
  public static void main(Bot bot, String description, Settings settings, String[] arguments) {
    CommandLine line;
    try {
      line = CommandLine.read(arguments, settings);
    } catch (PaddockException wrong) {
      System.err.println(wrong.getMessage() + "; --help lists the options");
      System.exit(wrong.exitCode());
      return;
    }
    if (line.help()) {
      System.out.print(CommandLine.usage(description, settings));
      return;
    }
    if (line.verbose()) {
      LOG.setLevel(Level.FINE);
      List.of(Logger.getLogger("").getHandlers()).forEach(each -> each.setLevel(Level.FINE));
    }
    run(bot, settings);
  }

  /**
   * Lets the bot play until the process gets SIGINT (Ctrl-C) or SIGTERM, and reconnects as often as
   * it takes. Then it ends the process: with code 0, or with code 2 and the server's sentence if
   * the bot is refused.
   */
  public static void run(Bot bot, Settings settings) {
    if (System.getProperty(FORMAT) == null) {
      System.setProperty(FORMAT, "%1$tF %1$tT %4$s %5$s%6$s%n");
    }
    CompletableFuture<Void> stop = new CompletableFuture<>();
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger code = new AtomicInteger();
    // A signal runs the hook: it lets `play` end, and then ends the process with its own code.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> halt(stop, over, code)));
    try {
      play(bot, settings, stop);
    } catch (PaddockException wrong) {
      LOG.severe(wrong.getMessage());
      code.set(wrong.exitCode());
    } catch (RuntimeException | Error defect) {
      LOG.log(Level.SEVERE, "the bot's run failed", defect);
      code.set(1);
    } finally {
      over.countDown();
    }
    System.exit(code.get());
  }

  private static void halt(CompletableFuture<Void> stop, CountDownLatch over, AtomicInteger code) {
    stop.complete(null);
    try {
      over.await(FAREWELL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(code.get());
  }

  /** Lets the bot play until `stop` completes. Throws PaddockException where it can't. */
  public static void play(Bot bot, Settings settings, CompletableFuture<Void> stop) {
    Map<String, String> environment = System.getenv();
    List<Address> addresses = settings.addresses(environment);
    String token = settings.token(environment);
    Hello hello = settings.hello(bot, environment);
    Runnable idle = settings.stopsWhenIdle() ? () -> stop.complete(null) : () -> {};
    Session session = new Session(bot, hello, idle);
    LOG.info("connecting: " + hello.getBot() + " to " + addresses.get(0).target());
    try {
      new Connection(new Route(addresses), token, session, stop).stay(settings.patience());
    } finally {
      session.close();
    }
  }
}
