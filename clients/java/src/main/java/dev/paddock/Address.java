package dev.paddock;

import dev.paddock.PaddockException.BadSettings;
import io.grpc.netty.shaded.io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The address of a server: plain on this machine, with TLS beyond it.
 *
 * @param target HOST:PORT or unix:PATH
 * @param tls what TLS needs; null: there is none
 */
record Address(String target, Certificates tls) {
  static final String DEFAULT = "127.0.0.1:7911";
  static final String UNIX = "unix:";

  /** Returns the addresses in a list with commas, by default that of PADDOCK_SERVER. */
  static List<Address> given(String servers, Certificates files, Map<String, String> environment) {
    String list = Settings.firstOf(servers, environment.get("PADDOCK_SERVER"), DEFAULT);
    if (files.cert().isEmpty() != files.key().isEmpty()) {
      throw new BadSettings("tls_cert and tls_key: give both or neither");
    }
    List<Address> addresses = new ArrayList<>();
    for (String each : list.split(",")) {
      String server = each.strip();
      boolean plain = server.startsWith("http://") || server.startsWith(UNIX);
      String ca = Settings.firstOf(files.ca(), plain ? "" : environment.get("PADDOCK_TLS_CA"));
      if (!server.isEmpty()) {
        addresses.add(of(server, new Certificates(ca, files.cert(), files.key())));
      }
    }
    if (addresses.isEmpty()) {
      throw unusable(list);
    }
    return addresses;
  }

  /** Returns the address in HOST:PORT, https://HOST:PORT, http://HOST:PORT or unix:PATH. */
  private static Address of(String server, Certificates files) {
    Address address = placed(server, files, !files.ca().isEmpty());
    if (address.tls != null) {
      files.check();
    } else if (!files.cert().isEmpty()) {
      String sentence = "server: a client certificate needs TLS; write https://";
      throw new BadSettings(sentence + address.target);
    }
    return address;
  }

  /**
   * Returns the address that a server sends its bots to: with the same certificates, and never
   * without TLS where TLS is in use.
   */
  Address redirected(String server) {
    return placed(server, tls == null ? Certificates.NONE : tls, tls != null);
  }

  /** Returns the address of a server; `secure`: it has to use TLS. */
  private static Address placed(String server, Certificates files, boolean secure) {
    if (server.startsWith(UNIX)) {
      if (server.equals(UNIX) || secure) {
        throw new BadSettings("server: write unix:PATH, without TLS, not \"" + server + "\"");
      }
      return new Address(server, null);
    }
    int colon = server.indexOf("://");
    String scheme = colon < 0 ? "" : server.substring(0, colon);
    String rest = colon < 0 ? server : server.substring(colon + 3);
    URI place = parsed(server, rest);
    switch (scheme) {
      case "https" -> {
        return new Address(place.getAuthority(), files);
      }
      case "http" -> {
        if (secure) {
          String sentence = "server: \"" + server + "\" means no TLS, but TLS is in use; ";
          throw new BadSettings(sentence + "write https://");
        }
        return new Address(place.getAuthority(), null);
      }
      case "" -> {
        if (!secure && !isHere(place.getHost())) {
          throw new BadSettings(
              String.format(
                  "server: %s is another machine; write https://%s, or http://%s to send everything"
                      + " unencrypted, also the token",
                  place.getHost(), rest, rest));
        }
        return new Address(place.getAuthority(), secure ? files : null);
      }
      default -> throw unusable(server);
    }
  }

  private static URI parsed(String server, String rest) {
    URI place;
    try {
      place = new URI("//" + rest);
    } catch (URISyntaxException wrong) {
      throw unusable(server);
    }
    String path = place.getPath() == null ? "" : place.getPath().replace("/", "");
    boolean extra = !path.isEmpty() || place.getUserInfo() != null || place.getQuery() != null;
    boolean fits = place.getHost() != null && place.getPort() >= 0 && place.getPort() < 65536;
    if (extra || !fits) {
      throw unusable(server);
    }
    return place;
  }

  private static BadSettings unusable(String server) {
    String sentence = "server: write HOST:PORT or https://HOST:PORT, not \"";
    return new BadSettings(sentence + server + "\"");
  }

  private static boolean isHere(String host) {
    String bare = host.replace("[", "").replace("]", "");
    if (!NetUtil.isValidIpV4Address(bare) && !NetUtil.isValidIpV6Address(bare)) {
      return host.equals("localhost");
    }
    try {
      return InetAddress.getByName(bare).isLoopbackAddress(); // a number: nobody is asked for it
    } catch (UnknownHostException wrong) {
      return false;
    }
  }
}
