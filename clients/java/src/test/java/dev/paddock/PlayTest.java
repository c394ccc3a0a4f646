package dev.paddock;

import static dev.paddock.Stage.ask;
import static dev.paddock.Stage.digests;
import static dev.paddock.Stage.end;
import static dev.paddock.Stage.goodbye;
import static dev.paddock.Stage.ping;
import static dev.paddock.Stage.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.paddock.PaddockException.Refused;
import dev.paddock.v1.BotItem;
import dev.paddock.v1.Choice;
import dev.paddock.v1.Fault;
import dev.paddock.v1.Goodbye;
import dev.paddock.v1.Happened;
import dev.paddock.v1.Hello;
import dev.paddock.v1.MatchEnded;
import dev.paddock.v1.MatchStarted;
import dev.paddock.v1.Nonce;
import dev.paddock.v1.RefereeItem;
import dev.paddock.v1.Revealed;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PlayTest {
  private final Recorded.OneMatch recorded = Recorded.read("summer").matches.get(0);
  private final MatchStarted match = recorded.message();
  private final dev.paddock.v1.Ask first = recorded.asks.get(0).message();
  private final dev.paddock.v1.Ask second = recorded.asks.get(1).message();
  private Stage stage;

  @BeforeEach
  void open() throws IOException {
    stage = new Stage();
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private static Bot counting() {
    AtomicInteger calls = new AtomicInteger();
    return ask -> calls.incrementAndGet();
  }

  @Test
  void helloSaysWhoTheBotIs() throws Exception {
    CompletableFuture<Void> playing = stage.start(ask -> 0);
    Hello hello = stage.welcome().hello;
    assertEquals("tested", hello.getBot());
    assertEquals(1, hello.getProtocol());
    assertEquals(8, hello.getMaxMatches());
    assertEquals("Java", hello.getLanguage());
    assertTrue(hello.getSendsNonces() && hello.getCommitsNonces());
    assertTrue(hello.getFormatsList().isEmpty() && hello.getResumeToken().isEmpty());
    assertEquals(Ask.FORMATS, hello.getKnownFormatsList());
    stage.stopBot();
    assertNull(end(playing));
  }

  @Test
  void anAskToldAgainGetsTheSameAnswerAndAnotherViewANewChoice() throws Exception {
    stage.start(counting());
    Stage.Call call = stage.welcome();
    call.say(started(match), ask(first), ask(first));
    call.next(); // the nonce
    Choice answer = call.next().getChoice();
    assertEquals(1, answer.getNumber());
    call.say(ask(first.toBuilder().setTimeMs(5).build()));
    assertEquals(answer, call.next().getChoice());
    call.say(ask(second.toBuilder().setAskId(first.getAskId()).build()));
    assertEquals(2, call.next().getChoice().getNumber());
  }

  @Test
  void pingsAreAnsweredWhileTheBotChooses() throws Exception {
    SynchronousQueue<Integer> chosen = new SynchronousQueue<>();
    stage.start(ask -> chosen.take());
    Stage.Call call = stage.welcome();
    call.say(started(match), ask(first));
    call.next(); // the nonce
    for (long id = 0; id < 3; id++) {
      call.say(ping(id));
      BotItem pong = call.next();
      assertTrue(pong.hasPong() && pong.getPong().getId() == id);
    }
    chosen.put(2);
    assertEquals(2, call.next().getChoice().getNumber());
  }

  @Test
  void aBotThatFailsIsReportedAsAFallback() throws Exception {
    Map<String, Bot> failures =
        Map.of(
            "IllegalStateException: lost",
                ask -> {
                  throw new IllegalStateException("lost");
                },
            "StackOverflowError",
                ask -> {
                  throw new StackOverflowError();
                },
            "choose returned -1", ask -> -1,
            "Exception: \u00e9?\u00e9?",
                ask -> {
                  throw new Exception("\u00e9\ud800".repeat(300));
                });
    for (Map.Entry<String, Bot> failure : failures.entrySet()) {
      try (Stage own = new Stage()) {
        own.start(failure.getValue());
        Stage.Call call = own.welcome();
        call.say(started(match), ask(first));
        call.next(); // the nonce
        Choice answer = call.next().getChoice();
        assertTrue(answer.getFallback().startsWith(failure.getKey()), answer.getFallback());
        assertTrue(answer.getFallback().length() <= 200);
        call.say(ask(first));
        assertEquals(answer, call.next().getChoice());
      }
    }
  }

  @Test
  void anAskThatCantBeReadIsReportedAsAFallback() throws Exception {
    stage.start(ask -> 0);
    Stage.Call call = stage.welcome();
    dev.paddock.v1.Ask.Builder strange = first.toBuilder();
    strange.getViewBuilder().getDraftosaurusBuilder().setHandValue(0, 99);
    call.say(started(match), ask(strange.build()));
    call.next(); // the nonce
    String reason = call.next().getChoice().getFallback();
    assertEquals("unreadable: species 99 is unknown here", reason);
  }

  @Test
  void itemsAndFieldsOfANewerServerArePassedOver() throws Exception {
    stage.start(ask -> 3);
    Stage.Call call = stage.welcome();
    UnknownFieldSet.Field news =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8("!")).build();
    UnknownFieldSet fields = UnknownFieldSet.newBuilder().addField(1999, news).build();
    RefereeItem unknown = RefereeItem.newBuilder().setUnknownFields(fields).build();
    call.say(
        unknown, started(match), unknown, ask(first.toBuilder().setUnknownFields(fields).build()));
    call.next(); // the nonce
    assertEquals(3, call.next().getChoice().getNumber());
  }

  @Test
  void aBotResumesWithItsTokenNonceAndAnswer() throws Exception {
    stage.start(counting());
    Stage.Call call = stage.welcome();
    call.say(started(match), ask(first));
    Nonce nonce = call.next().getNonce();
    assertEquals(16, nonce.getNonce().size());
    Choice answer = call.next().getChoice();
    call.end(Status.UNAVAILABLE.withDescription("gone"));
    call = stage.welcome();
    assertEquals("again", call.hello.getResumeToken());
    call.say(started(match), ask(first), ask(second));
    assertEquals(nonce, call.next().getNonce());
    assertEquals(answer, call.next().getChoice());
    assertEquals(2, call.next().getChoice().getNumber());
  }

  @Test
  void noncesComeInTwoStepsWhereTheServerWantsIt() throws Exception {
    stage.start(ask -> 0);
    Stage.Call call = stage.welcome();
    MatchStarted twoSteps = match.toBuilder().setCommitNonces(true).build();
    call.say(started(twoSteps), started(twoSteps));
    ByteString digest = call.next().getNonceCommitment().getDigest();
    assertEquals(digest, call.next().getNonceCommitment().getDigest());
    ByteString zeros = ByteString.copyFrom(new byte[32]);
    List<ByteString> wrong = Collections.nCopies(match.getSeatsCount(), zeros);
    List<ByteString> right = new ArrayList<>(wrong);
    right.set(match.getSeat(), digest);
    String id = match.getMatchId();
    call.say(started(match), digests(id, wrong), ping(7), digests(id, right));
    assertEquals(7, call.next().getPong().getId(), "a nonce was sent although its digest is wrong");
    ByteString nonce = call.next().getNonce().getNonce();
    assertEquals(digest, Digest.sha256(nonce));
    List<ByteString> others = new ArrayList<>(right);
    others.set((match.getSeat() + 1) % others.size(), digest);
    call.say(digests(id, others), ping(8), digests(id, right));
    assertEquals(8, call.next().getPong().getId(), "a nonce was sent although digests changed");
    assertEquals(nonce, call.next().getNonce().getNonce());
  }

  @Test
  void aBotThatIsRefusedEnds() throws Exception {
    List<Status> refusals =
        List.of(
            Status.UNAUTHENTICATED.withDescription("auth/bad_token: copy it again"),
            Status.INVALID_ARGUMENT.withDescription("format/unknown: no such"),
            Status.ABORTED.withDescription("session/replaced: another one"));
    for (Status refusal : refusals) {
      try (Stage own = new Stage()) {
        CompletableFuture<Void> playing = own.start(ask -> 0);
        own.welcome().end(refusal);
        Refused refused = assertInstanceOf(Refused.class, end(playing));
        assertEquals(refusal.getDescription(), refused.getMessage());
        assertTrue(refusal.getDescription().startsWith(refused.reason()));
      }
    }
  }

  @Test
  void aGoodbyeSaysWhenAndWhereToComeBack() throws Exception {
    try (Stage elsewhere = new Stage()) {
      CompletableFuture<Void> playing = stage.start(ask -> 0);
      Stage.Call call = stage.welcome();
      long began = System.nanoTime();
      call.say(goodbye(Goodbye.newBuilder().setReturnAfterMs(300).setAddress(elsewhere.address())));
      call.end(Status.OK);
      call = elsewhere.welcome();
      assertTrue(System.nanoTime() - began >= 300_000_000, "it came back too early");
      assertEquals("again", call.hello.getResumeToken());
      call.say(goodbye(Goodbye.newBuilder().setReason("server/draining").setSentence("for good")));
      call.end(Status.OK);
      assertEquals("server/draining: for good", end(playing).getMessage());
    }
  }

  @Test
  void theNextServerOfAListIsTriedAfterAFailure() throws Exception {
    stage.start(ask -> 0, "unix:build/nobody, " + stage.address());
    stage.welcome();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aServerMayHaveAUnixSocket(@TempDir Path folder) throws Exception {
    try (Stage unix = new Stage(folder.resolve("socket"))) {
      CompletableFuture<Void> playing = unix.start(ask -> 3);
      Stage.Call call = unix.welcome();
      call.say(started(match), ask(first));
      call.next(); // the nonce
      assertEquals(3, call.next().getChoice().getNumber());
      unix.stopBot();
      assertNull(end(playing));
    }
  }

  @Test
  void aBotHearsOfItsMatchInOrder() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    CompletableFuture<Void> playing = stage.start(new Listener(heard));
    Stage.Call call = stage.welcome();
    call.say(started(match), ask(first));
    call.next(); // the nonce
    call.next(); // the choice
    String id = match.getMatchId();
    dev.paddock.v1.Refused.Builder refused =
        dev.paddock.v1.Refused.newBuilder().setAskId(first.getAskId()).setReason("choice/stale");
    Revealed.Builder revealed = Revealed.newBuilder().setSeat(match.getSeat());
    revealed.setChoice(first.getChoices(0)).setFault(Fault.FAULT_TIMEOUT);
    Happened.Builder happened = Happened.newBuilder().setMatchId(id).addRevealed(revealed);
    call.say(
        RefereeItem.newBuilder().setRefused(refused).build(),
        RefereeItem.newBuilder().setHappened(happened).build(),
        RefereeItem.newBuilder().setMatchEnded(MatchEnded.newBuilder().setMatchId(id)).build(),
        ping(1));
    List<String> wanted =
        List.of(
            "started summer",
            "choose",
            "choice/stale",
            "PLACE T_REX in PRAIRIE_OF_LOVE TIMEOUT",
            "ended");
    for (String want : wanted) {
      assertEquals(want, heard.poll(30, TimeUnit.SECONDS));
    }
    assertTrue(call.next().hasPong());
    stage.stopBot();
    assertNull(end(playing));
  }

  /** A bot with all methods that a bot may have. */
  private record Listener(BlockingQueue<String> heard) implements Bot {
    @Override
    public int choose(Ask ask) {
      heard.add("choose");
      return 0;
    }

    @Override
    public void started(Match match) {
      heard.add("started " + match.format());
    }

    @Override
    public void happened(Match match, Event event) {
      Event.Revealed revealed = event.revealed().get(0);
      heard.add(revealed.choice() + " " + revealed.fault());
    }

    @Override
    public void refused(Match match, Refusal refusal) {
      heard.add(refusal.reason());
    }

    @Override
    public void ended(Match match, Result result) {
      heard.add("ended");
      throw new IllegalStateException("a method that fails does no harm");
    }
  }
}
