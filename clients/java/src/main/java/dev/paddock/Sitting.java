package dev.paddock;

import com.google.protobuf.ByteString;
import dev.paddock.game.Unreadable;
import dev.paddock.v1.BotItem;
import dev.paddock.v1.Choice;
import dev.paddock.v1.Fault;
import dev.paddock.v1.GameView;
import dev.paddock.v1.Happened;
import dev.paddock.v1.MatchEnded;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * This bot's seat in one match, from MatchStarted to MatchEnded, over any number of streams. Its
 * methods are called with the session's lock; the bot's methods run in a thread without it, one
 * after the other.
 */
final class Sitting {
  private static final Logger LOG = Logger.getLogger("dev.paddock");
  private static final int REMEMBERED_ASKS = 8; // the referee has one open at a time

  /** An ask that the bot was shown, and its answer. */
  private static final class Asked {
    final long id;
    final GameView view; // as the referee sent it
    Choice answer; // null while the bot chooses

    Asked(long id, GameView view) {
      this.id = id;
      this.view = view;
    }
  }

  private final Session session;
  private final Match match;
  private final Part part;
  private final ByteString seed;
  private final Deque<Asked> asked = new ArrayDeque<>(); // the last ones
  private final Deque<Runnable> jobs = new ArrayDeque<>();
  private Asked open; // the ask that still wants an answer
  private int decisions; // that were asked for so far
  private boolean working;

  Sitting(Session session, Match match, ByteString secret) {
    this.session = session;
    this.match = match;
    this.part = new Part(match.id(), match.seat());
    this.seed = Dice.matchSeed(secret, match.dice(), match.seat());
  }

  /** Tells the bot that the match begins. */
  void begin() {
    queue("started", () -> session.bot().started(match));
  }

  /** Sends this seat's part of the deal; where the server wants it in two steps, its digest. */
  void tellNonce(boolean commit) {
    part.begin(commit).ifPresent(session::send);
  }

  /** Sends the nonce when everybody's digests are in, unless they are wrong. */
  void committed(List<ByteString> digests) {
    part.told(digests)
        .ifPresentOrElse(
            session::send,
            () -> LOG.warning("nonce kept secret: match " + match.id() + ": digests wrong"));
  }

  /**
   * Answers an ask, or repeats its answer; a choice under way goes on. An ask with another view is
   * another ask, even if it has the same id.
   */
  void ask(dev.paddock.v1.Ask message) {
    for (Asked known : asked) {
      if (known.id == message.getAskId() && known.view.equals(message.getView())) {
        if (known.answer != null) {
          session.send(item(known.answer));
        }
        return;
      }
    }
    asked.removeIf(known -> known.id == message.getAskId());
    Asked wanted = new Asked(message.getAskId(), message.getView());
    open = wanted;
    asked.add(wanted);
    if (asked.size() > REMEMBERED_ASKS) {
      asked.remove();
    }
    queue("choose", () -> choose(message, wanted));
  }

  /** Has the bot choose, and sends its answer; it runs without the session's lock. */
  private void choose(dev.paddock.v1.Ask message, Asked wanted) {
    int decision;
    synchronized (session) {
      if (wanted != open) {
        return; // it was over before an earlier choice of this match was made
      }
      decision = decisions++;
    }
    String where = "match " + match.id() + ", ask " + Long.toUnsignedString(wanted.id);
    Ask ask;
    try {
      ask = Ask.read(message, match, new Dice(seed, decision));
    } catch (Unreadable unreadable) {
      String why = unreadable.getMessage();
      LOG.severe(
          "fallback: " + where + ": the ask is unreadable: " + why + "; use a newer paddock");
      answer(wanted, new Chosen.Fallback("unreadable: " + why, null));
      return;
    }
    long began = System.nanoTime();
    Chosen chosen = Chosen.by(session.bot(), ask);
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    int number = chosen instanceof Chosen.Number own ? own.number() : ask.view().defaultChoice();
    String played = ask.legal().get(number).toString();
    if (chosen instanceof Chosen.Fallback fallback) {
      String sentence = "fallback: %s: %s; %s is played instead";
      String line = String.format(sentence, where, fallback.reason(), played);
      LOG.log(Level.SEVERE, line, fallback.thrown());
    }
    if (answer(wanted, chosen)) {
      LOG.fine(
          () -> "answer sent: " + where + ": " + played + ", after " + took.toMillis() + " ms");
    } else {
      String late = ": choose was too late, after " + took.toMillis() + " ms";
      LOG.warning("answer dropped: " + where + late);
    }
  }

  /** Sends and keeps an answer; false: nobody waits for it any more. */
  private boolean answer(Asked wanted, Chosen chosen) {
    synchronized (session) {
      if (wanted != open) {
        return false;
      }
      wanted.answer = chosen.answer(wanted.id);
      session.send(item(wanted.answer));
      return true;
    }
  }

  private static BotItem item(Choice answer) {
    return BotItem.newBuilder().setChoice(answer).build();
  }

  /** Tells whether an ask, a recent one, belongs to this match. */
  boolean hasAsked(long id) {
    return asked.stream().anyMatch(known -> known.id == id);
  }

  /** Tells the bot what everybody chose, and logs the faults of this seat. */
  void happened(Happened message) {
    for (dev.paddock.v1.Revealed shown : message.getRevealedList()) {
      if (shown.getSeat() == match.seat() && shown.getFault() != Fault.FAULT_UNSPECIFIED) {
        String fault = Event.faultName(shown.getFault());
        LOG.warning("fault " + fault + ": match " + match.id() + ": the referee chose");
      }
    }
    queue("happened", () -> session.bot().happened(match, Event.read(message)));
  }

  /** Tells the bot that an answer did not count. */
  void refused(Refusal refusal) {
    queue("refused", () -> session.bot().refused(match, refusal));
  }

  /** Tells the bot the result; open choices no longer matter. */
  void end(MatchEnded message) {
    open = null;
    Result result = Result.read(message);
    int seats = result.seats().size();
    int rank = match.seat() < seats ? result.seats().get(match.seat()).rank() : 0;
    LOG.info("match ended: " + match.id() + ", rank " + rank);
    if (!result.keptItsWord(match)) {
      String sentence = ": the seed is not the one the server committed to";
      LOG.warning("seed wrong: match " + match.id() + sentence);
    }
    String reason = result.voidReason();
    String wrong = reason.isEmpty() ? part.wrong(result.nonces()) : "";
    if (!reason.isEmpty()) { // it was set aside, and has no nonces
      LOG.warning("match void: " + match.id() + " counts for nothing: " + reason);
    }
    if (!wrong.isEmpty()) {
      LOG.warning("nonces wrong: match " + match.id() + ": " + wrong);
    }
    queue("ended", () -> session.bot().ended(match, result));
  }

  /** Calls no other method of the bot after the present one. */
  void stop() {
    open = null;
    jobs.clear();
  }

  /** Calls a method of the bot after those that wait. */
  private void queue(String method, Runnable call) {
    jobs.add(
        () -> {
          try {
            call.run();
          } catch (Throwable thrown) { // whatever a bot does, its other matches go on
            LOG.log(Level.SEVERE, method + " failed: match " + match.id(), thrown);
          }
        });
    if (!working) {
      working = true;
      session.workers().execute(this::work);
    }
  }

  private void work() {
    for (Runnable job = nextJob(); job != null; job = nextJob()) {
      job.run();
    }
  }

  private Runnable nextJob() {
    synchronized (session) {
      working = !jobs.isEmpty();
      return jobs.poll();
    }
  }
}
