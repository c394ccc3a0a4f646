package dev.paddock.game;

/** A message has values that are unknown here, as a newer server may send them. */
public final class Unreadable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes one of a sentence. */
  public Unreadable(String sentence) {
    super(sentence);
  }

  /** Returns the value with a number of the wire, from `least` on. */
  public static <T> T unless(String what, T[] values, int number, int least) {
    if (number < least || number >= values.length) {
      throw unknown(what, number);
    }
    return values[number];
  }

  /** Returns the number, which has to be from 0 to `end` - 1. */
  public static int unlessBelow(String what, int number, int end) {
    if (number < 0 || number >= end) {
      throw unknown(what, number);
    }
    return number;
  }

  private static Unreadable unknown(String what, int number) {
    return new Unreadable(what + " " + Integer.toUnsignedString(number) + " is unknown here");
  }
}
