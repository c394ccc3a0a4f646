package dev.paddock;

import com.google.gson.Gson;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.paddock.v1.MatchStarted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** A file of tests/data/bots: asks with the answers of the sample bots. */
final class Recorded {
  static final Path FOLDER = Path.of("../../tests/data/bots");

  String secret;
  List<OneMatch> matches;

  static final class OneMatch {
    String started;
    List<OneAsk> asks;

    MatchStarted message() {
      try {
        return MatchStarted.parseFrom(Base64.getDecoder().decode(started));
      } catch (InvalidProtocolBufferException wrong) {
        throw new UncheckedIOException(wrong);
      }
    }
  }

  static final class OneAsk {
    String ask;
    int random;
    int greedy;
    int careful;

    dev.paddock.v1.Ask message() {
      try {
        return dev.paddock.v1.Ask.parseFrom(Base64.getDecoder().decode(ask));
      } catch (InvalidProtocolBufferException wrong) {
        throw new UncheckedIOException(wrong);
      }
    }
  }

  static Recorded read(String format) {
    try {
      String text = Files.readString(FOLDER.resolve(format + ".json"));
      return new Gson().fromJson(text, Recorded.class);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }
}
