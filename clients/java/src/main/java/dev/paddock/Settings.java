package dev.paddock;

import dev.paddock.PaddockException.BadSettings;
import dev.paddock.v1.Hello;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How a bot is run. All of it may be left out. */
public final class Settings {
  static final int USUAL_MATCHES = 8; // at once

  private String name = "";
  private String calledName = ""; // from the command line
  private String version = "1";
  private List<String> formats = List.of();
  private int maxMatches = USUAL_MATCHES;
  private String server = "";
  private String token = "";
  private String tlsCa = "";
  private String tlsCert = "";
  private String tlsKey = "";
  private boolean stopWhenIdle;
  private Duration giveUpAfter = Duration.ZERO;

  /** As the server knows the bot, unless PADDOCK_BOT says another; by default its class's name. */
  public Settings name(String value) {
    name = value;
    return this;
  }

  /** Of the bot; by default "1". */
  public Settings version(String value) {
    version = value;
    return this;
  }

  /** That it plays; by default all that the server has. */
  public Settings formats(String... values) {
    formats = List.of(values);
    return this;
  }

  /** How many matches it plays at once; by default 8. */
  public Settings maxMatches(int value) {
    maxMatches = value;
    return this;
  }

  /**
   * HOST:PORT, https://HOST:PORT or unix:PATH, or a list of them with commas, which are tried in
   * turn; by default PADDOCK_SERVER.
   */
  public Settings server(String value) {
    server = value;
    return this;
  }

  /** By default PADDOCK_TOKEN. */
  public Settings token(String value) {
    token = value;
    return this;
  }

  /** The file of the server's CA, PEM; turns TLS on; by default PADDOCK_TLS_CA. */
  public Settings tlsCa(String value) {
    tlsCa = value;
    return this;
  }

  /** The file of the bot's own certificate, PEM. */
  public Settings tlsCert(String value) {
    tlsCert = value;
    return this;
  }

  /** The file of the key of the bot's certificate, PEM. */
  public Settings tlsKey(String value) {
    tlsKey = value;
    return this;
  }

  /** Ends once all matches that began have ended. */
  public Settings stopWhenIdle(boolean value) {
    stopWhenIdle = value;
    return this;
  }

  /** How long to try without a connection; zero, the default: without end. */
  public Settings giveUpAfter(Duration value) {
    giveUpAfter = value;
    return this;
  }

  /** The name of the command line: it counts more than PADDOCK_BOT. */
  Settings calledName(String value) {
    calledName = value;
    return this;
  }

  String ownName() {
    return name;
  }

  boolean stopsWhenIdle() {
    return stopWhenIdle;
  }

  Duration patience() {
    return giveUpAfter;
  }

  List<Address> addresses(Map<String, String> environment) {
    return Address.given(server, new Certificates(tlsCa, tlsCert, tlsKey), environment);
  }

  String token(Map<String, String> environment) {
    // Files that tokens are read from end in a newline.
    String given = firstOf(token, environment.get("PADDOCK_TOKEN")).strip();
    if (!given.chars().allMatch(character -> character >= ' ' && character <= '~')) {
      throw new BadSettings("token: it has invalid characters; copy it again");
    }
    return given;
  }

  Hello hello(Bot bot, Map<String, String> environment) {
    if (maxMatches < 1) {
      throw new BadSettings("max_matches: give 1 or more, not " + maxMatches);
    }
    String kind = bot.getClass().getSimpleName();
    return Hello.newBuilder()
        .setBot(firstOf(calledName, environment.get("PADDOCK_BOT"), name, kind))
        .setVersion(version.codePointCount(0, version.length()) > 40 ? cut(version) : version)
        .setClient("paddock-java/" + Paddock.VERSION)
        .setProtocol(Session.PROTOCOL)
        .addAllFormats(formats)
        .addAllKnownFormats(Ask.FORMATS)
        .setMaxMatches(maxMatches)
        .setSendsNonces(true)
        .setCommitsNonces(true)
        .setLanguage("Java")
        .build();
  }

  private static String cut(String version) {
    return version.substring(0, version.offsetByCodePoints(0, 40));
  }

  /** Returns the first of these that says something; else it is empty. */
  static String firstOf(String... texts) {
    for (String text : texts) {
      if (text != null && !text.isEmpty()) {
        return text;
      }
    }
    return "";
  }
}
