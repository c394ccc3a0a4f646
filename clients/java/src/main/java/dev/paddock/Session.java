package dev.paddock;

import com.google.protobuf.ByteString;
import dev.paddock.game.Unreadable;
import dev.paddock.v1.BotItem;
import dev.paddock.v1.Format;
import dev.paddock.v1.Game;
import dev.paddock.v1.Goodbye;
import dev.paddock.v1.Hello;
import dev.paddock.v1.MatchEnded;
import dev.paddock.v1.MatchStarted;
import dev.paddock.v1.Pong;
import dev.paddock.v1.RefereeItem;
import dev.paddock.v1.Welcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Logger;

/**
 * A session over any number of streams: the bot's matches and the resume token. It takes items in
 * order and never waits for the bot. Its lock guards its sittings as well.
 */
final class Session {
  static final int PROTOCOL = 1;

  private static final Logger LOG = Logger.getLogger("dev.paddock");
  private static final int FAREWELL_SECONDS =
      5; // for the last calls of the bot, when it is stopped

  /** The newest versions of the rules that are known here, by game. */
  private static final Map<String, Integer> KNOWN_RULES =
      Map.of("draftosaurus", 1, "dino_twist", dev.paddock.dinotwist.Rules.NEWEST);

  private final Bot bot;
  private final Runnable idle; // called when all matches of the stream have ended
  private final ByteString secret = Dice.ownSecret();
  private final ExecutorService workers = Executors.newCachedThreadPool(Session::worker);
  private final Map<String, Sitting> sittings = new HashMap<>();
  private final Set<String> current = new HashSet<>(); // the matches that started on this stream
  private Hello hello;
  private Outbox outbox;
  private boolean welcomed; // on the present stream
  private Goodbye goodbye; // said on the present stream

  Session(Bot bot, Hello hello, Runnable idle) {
    this.bot = bot;
    this.hello = hello;
    this.idle = idle;
  }

  private static Thread worker(Runnable work) {
    Thread thread = new Thread(work, "paddock-choose");
    thread.setDaemon(true);
    return thread;
  }

  Bot bot() {
    return bot;
  }

  ExecutorService workers() {
    return workers;
  }

  /** How the present stream went: whether a session was open, and the Goodbye; null: none. */
  record Parting(boolean welcomed, Goodbye goodbye) {}

  /** Returns the outbox of a new stream, with Hello in it. */
  synchronized Outbox connect() {
    outbox = new Outbox();
    welcomed = false;
    goodbye = null;
    current.clear();
    send(BotItem.newBuilder().setHello(hello).build());
    return outbox;
  }

  /** Sends and takes nothing from now on; answers are sent when their asks are repeated. */
  synchronized Parting disconnect() {
    outbox = null;
    return new Parting(welcomed, goodbye);
  }

  /** Waits for the present calls of the bot, and makes no other. */
  void close() {
    synchronized (this) {
      sittings.values().forEach(Sitting::stop);
    }
    workers.shutdown();
    try {
      workers.awaitTermination(FAREWELL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends an item with the next frame. */
  synchronized void send(BotItem item) {
    if (outbox != null) {
      outbox.put(item);
    }
  }

  /** Handles one item of the stream with this outbox; those of a newer server are passed over. */
  synchronized void receive(Outbox stream, RefereeItem item) {
    if (stream != outbox) {
      return;
    }
    switch (item.getItemCase()) {
      case WELCOME -> takeWelcome(item.getWelcome());
      case MATCH_STARTED -> takeMatchStarted(item.getMatchStarted());
      case NONCE_COMMITMENTS ->
          at(
              item.getNonceCommitments().getMatchId(),
              sitting -> sitting.committed(item.getNonceCommitments().getDigestsList()));
      case ASK -> takeAsk(item.getAsk());
      case HAPPENED ->
          at(item.getHappened().getMatchId(), sitting -> sitting.happened(item.getHappened()));
      case REFUSED -> takeRefused(item.getRefused());
      case MATCH_ENDED -> takeMatchEnded(item.getMatchEnded());
      case PING -> {
        Pong.Builder pong = Pong.newBuilder().setId(item.getPing().getId());
        send(BotItem.newBuilder().setPong(pong).build());
      }
      case GOODBYE -> {
        goodbye = item.getGoodbye();
        LOG.info("goodbye received: " + sentenceOf(goodbye));
      }
      case ITEM_NOT_SET -> {}
    }
  }

  private void at(String matchId, Consumer<Sitting> tell) {
    Sitting sitting = sittings.get(matchId);
    if (sitting != null) {
      tell.accept(sitting);
    }
  }

  private void takeWelcome(Welcome welcome) {
    welcomed = true;
    hello = hello.toBuilder().setResumeToken(welcome.getResumeToken()).build();
    List<String> played =
        welcome.getFormatsCount() == 0
            ? hello.getFormatsList()
            : welcome.getFormatsList().stream()
                .filter(Format::getPlays)
                .map(Format::getName)
                .toList();
    LOG.info(
        String.format(
            "session opened: %s on paddock %s, session %s, plays %s",
            hello.getBot(), welcome.getServer(), welcome.getSession(), String.join(", ", played)));
    welcome.getGamesList().forEach(Session::warnOfNewRules);
    if (!welcome.getProbation().isEmpty()) {
      String sentence = "on probation: %s gets trial matches only: %s";
      LOG.warning(String.format(sentence, hello.getBot(), welcome.getProbation()));
    }
    welcome.getNoticesList().forEach(LOG::warning);
    if (welcome.hasOpenMatches()) {
      Set<String> over = new HashSet<>(sittings.keySet());
      welcome.getOpenMatches().getMatchIdsList().forEach(over::remove);
      for (String matchId : over) {
        LOG.info("match ended without a connection: " + matchId);
        sittings.remove(matchId).stop();
      }
    }
  }

  private static void warnOfNewRules(Game game) {
    Integer known = KNOWN_RULES.get(game.getName());
    if (known != null && known < game.getRulesVersion()) {
      LOG.warning(
          String.format(
              "rules too old: the server plays version %d of %s, and this is version %d; use a"
                  + " newer paddock",
              game.getRulesVersion(), game.getName(), known));
    }
  }

  private void takeMatchStarted(MatchStarted message) {
    String matchId = message.getMatchId();
    if (!sittings.containsKey(matchId)) {
      Match match;
      try {
        match = Match.read(message);
      } catch (Unreadable unreadable) {
        String why = unreadable.getMessage();
        LOG.severe("match unreadable: " + matchId + ": " + why + "; use a newer paddock");
        return;
      }
      Sitting sitting = new Sitting(this, match, secret);
      sittings.put(matchId, sitting);
      String names = String.join(", ", match.seats().stream().map(Seat::bot).toList());
      String sentence = "match started: %s, %s, seat %d of %s";
      LOG.info(String.format(sentence, matchId, match.format(), match.seat(), names));
      sitting.begin();
    }
    current.add(matchId);
    sittings.get(matchId).tellNonce(message.getCommitNonces());
  }

  private void takeAsk(dev.paddock.v1.Ask message) {
    Sitting sitting = sittings.get(message.getMatchId());
    if (sitting == null) {
      String id = Long.toUnsignedString(message.getAskId());
      LOG.severe("ask ignored: " + id + " is of unknown match " + message.getMatchId());
    } else {
      sitting.ask(message);
    }
  }

  private void takeRefused(dev.paddock.v1.Refused message) {
    Refusal refusal = new Refusal(message.getAskId(), message.getReason(), message.getSentence());
    String id = Long.toUnsignedString(refusal.askId());
    String sentence = "answer refused: ask %s: %s: %s";
    LOG.warning(String.format(sentence, id, refusal.reason(), refusal.sentence()));
    sittings.values().stream()
        .filter(sitting -> sitting.hasAsked(refusal.askId()))
        .forEach(sitting -> sitting.refused(refusal));
  }

  private void takeMatchEnded(MatchEnded message) {
    current.remove(message.getMatchId());
    Sitting sitting = sittings.remove(message.getMatchId());
    if (sitting != null) {
      sitting.end(message);
    }
    if (current.isEmpty()) {
      idle.run();
    }
  }

  static String sentenceOf(Goodbye goodbye) {
    return goodbye.getSentence().isEmpty() ? goodbye.getReason() : goodbye.getSentence();
  }
}
