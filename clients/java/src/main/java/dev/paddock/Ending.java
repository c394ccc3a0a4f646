package dev.paddock;

import dev.paddock.PaddockException.Refused;
import dev.paddock.v1.Goodbye;
import io.grpc.Status;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of a stream after which another attempt makes sense.
 *
 * @param returnAfter that the server asked for
 * @param welcomed whether a session was open
 * @param moved the address that the server named; empty: none
 */
record Ending(String sentence, Duration returnAfter, boolean welcomed, String moved) {
  private static final Pattern REASON = Pattern.compile("^[a-z_]+/[a-z_]+");
  private static final String REPLACED = "session/replaced";

  /** Refusals that another attempt would only repeat. */
  private static final Set<Status.Code> FINAL =
      Set.of(
          Status.Code.UNAUTHENTICATED,
          Status.Code.PERMISSION_DENIED,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.FAILED_PRECONDITION);

  /** Returns the end of a stream; throws Refused where another attempt would fail the same way. */
  static Ending of(Stream.End end, Address address, Session.Parting parting) {
    Status.Code code = end.status().getCode();
    String sentence = Settings.firstOf(end.status().getDescription());
    Matcher first = REASON.matcher(sentence);
    String reason = Settings.firstOf(end.reason(), first.find() ? first.group() : "");
    if (sentence.startsWith(reason)) {
      sentence = sentence.substring(reason.length()).replaceFirst("^[: ]+", "");
    }
    if (code == Status.Code.UNAVAILABLE && reason.isEmpty()) { // these are grpc's words
      Trouble trouble = Trouble.explain(address, words(end.status()), parting.welcomed());
      if (trouble.isFinal()) {
        throw new Refused(trouble.reason(), trouble.sentence());
      }
      sentence = trouble.sentence();
    }
    if (FINAL.contains(code) || reason.equals(REPLACED)) {
      throw new Refused(reason, Settings.firstOf(sentence, code.name()));
    }
    Goodbye goodbye = parting.goodbye();
    if (goodbye == null) {
      String full = PaddockException.joined(reason, sentence);
      String said = Settings.firstOf(full, "the server closed the stream");
      String named = code == Status.Code.OK ? said : said + " (" + code + ")";
      return new Ending(named, Duration.ZERO, parting.welcomed(), "");
    }
    if (goodbye.getReturnAfterMs() == 0) {
      throw new Refused(goodbye.getReason(), goodbye.getSentence());
    }
    Duration wait = Duration.ofMillis(Integer.toUnsignedLong(goodbye.getReturnAfterMs()));
    String said = Session.sentenceOf(goodbye);
    return new Ending(said, wait, parting.welcomed(), goodbye.getAddress());
  }

  /** Returns what a status says, and what caused it. */
  private static String words(Status status) {
    StringBuilder words = new StringBuilder(Settings.firstOf(status.getDescription()));
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      words.append(words.isEmpty() ? "" : ": ").append(cause);
    }
    return words.toString();
  }
}
