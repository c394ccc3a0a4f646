package dev.paddock;

import dev.paddock.v1.Choice;
import java.nio.charset.StandardCharsets;

/** What came of a call of {@code choose}: a number, or the reason why there is none. */
sealed interface Chosen {
  int MOST_CHARACTERS = 200; // of a reason; the server cuts what is longer

  /** Returns the answer to an ask. */
  Choice answer(long askId);

  /** The number of a legal choice. */
  record Number(int number) implements Chosen {
    @Override
    public Choice answer(long askId) {
      return Choice.newBuilder().setAskId(askId).setNumber(number).build();
    }
  }

  /**
   * Nothing: the referee plays its default, and counts a fallback.
   *
   * @param reason such as "ArithmeticException: / by zero"
   * @param thrown what the bot threw; null: it threw nothing
   */
  record Fallback(String reason, Throwable thrown) implements Chosen {
    @Override
    public Choice answer(long askId) {
      // A reason may come from anywhere: half a surrogate pair does not fit the wire.
      String word = new String(reason.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      if (word.codePointCount(0, word.length()) > MOST_CHARACTERS) {
        word = word.substring(0, word.offsetByCodePoints(0, MOST_CHARACTERS));
      }
      return Choice.newBuilder().setAskId(askId).setFallback(word).build();
    }
  }

  /** Calls the bot's {@code choose}, and catches whatever goes wrong in it. */
  static Chosen by(Bot bot, Ask ask) {
    int number;
    try {
      number = bot.choose(ask);
    } catch (Throwable thrown) { // also an error such as a stack overflow is the bot's own
      String message = thrown.getMessage() == null ? "" : thrown.getMessage();
      String name = thrown.getClass().getSimpleName();
      return new Fallback(message.isEmpty() ? name : name + ": " + message, thrown);
    }
    int legal = ask.legal().size();
    if (number >= 0 && number < legal) {
      return new Number(number);
    }
    String sentence = "choose returned %d, which is not the number of one of %d legal choices";
    return new Fallback(String.format(sentence, number, legal), null);
  }
}
