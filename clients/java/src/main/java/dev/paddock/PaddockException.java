package dev.paddock;

/** Why a bot can't play, in a sentence that says what to do. */
public abstract sealed class PaddockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private PaddockException(String sentence) {
    super(sentence);
  }

  /** Returns the exit code of a process that ends for it. */
  abstract int exitCode();

  /** Puts a reason, which may be empty, before a sentence. */
  static String joined(String reason, String sentence) {
    return reason.isEmpty() ? sentence : reason + ": " + sentence;
  }

  /** The settings can't be used: a server, a token, a certificate. */
  public static final class BadSettings extends PaddockException {
    private static final long serialVersionUID = 1L;

    BadSettings(String sentence) {
      super(sentence);
    }

    @Override
    int exitCode() {
      return 2;
    }
  }

  /** The server refuses the bot for good. */
  public static final class Refused extends PaddockException {
    private static final long serialVersionUID = 1L;
    private final String reason;

    Refused(String reason, String sentence) {
      super(joined(reason, sentence));
      this.reason = reason;
    }

    /** Returns the reason, which is stable, such as auth/bad_token; it may be empty. */
    public String reason() {
      return reason;
    }

    @Override
    int exitCode() {
      return 2;
    }
  }

  /** There was no connection for longer than {@link Settings#giveUpAfter}. */
  public static final class Unreachable extends PaddockException {
    private static final long serialVersionUID = 1L;

    Unreachable(String sentence) {
      super(sentence);
    }

    @Override
    int exitCode() {
      return 1;
    }
  }
}
