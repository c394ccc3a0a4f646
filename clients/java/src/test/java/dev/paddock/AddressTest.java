package dev.paddock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.paddock.PaddockException.BadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {
  private static String given(String servers, Map<String, String> environment) {
    List<Address> addresses = Address.given(servers, Certificates.NONE, environment);
    return String.join(
        "|",
        addresses.stream()
            .map(each -> each.target() + (each.tls() == null ? "" : " tls"))
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'' ; 127.0.0.1:7911",
        "localhost:1 ; localhost:1",
        "[::1]:2 ; [::1]:2",
        "http://example.org:3 ; example.org:3",
        "https://example.org:4/ ; example.org:4 tls",
        "unix:/run/paddock ; unix:/run/paddock",
        "127.0.0.1:5, https://[2001::1]:6 ; 127.0.0.1:5|[2001::1]:6 tls",
      })
  void addresses(String servers, String want) {
    assertEquals(want, given(servers, Map.of()));
    assertEquals(want, given("", Map.of("PADDOCK_SERVER", servers)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "example.org:1 ; another machine",
        "127.0.0.1:5,example.org:1 ; another machine",
        "127.0.0.1 ; write HOST:PORT",
        "127.0.0.1:99999 ; write HOST:PORT",
        "ftp://127.0.0.1:1 ; write HOST:PORT",
        "127.0.0.1:1/path ; write HOST:PORT",
        "', ' ; write HOST:PORT",
        "unix: ; write unix:PATH",
      })
  void addressesThatCantBeUsed(String servers, String says) {
    BadSettings wrong = assertThrows(BadSettings.class, () -> given(servers, Map.of()));
    assertTrue(wrong.getMessage().contains(says), wrong.getMessage());
  }

  @Test
  void certificatesThatCantBeUsed(@TempDir Path folder) throws IOException {
    String empty = Files.createFile(folder.resolve("empty.pem")).toString();
    Map<List<String>, String> wrong =
        Map.of(
            List.of("http://127.0.0.1:1", empty, "", ""), "TLS is in use",
            List.of("127.0.0.1:1", "absent.pem", "", ""), "absent.pem",
            List.of("127.0.0.1:1", empty, "", ""), "no certificate",
            List.of("127.0.0.1:1", "", empty, empty), "needs TLS",
            List.of("https://127.0.0.1:1", "", empty, empty), "can't be used",
            List.of("127.0.0.1:1", "", empty, ""), "both or neither");
    wrong.forEach(
        (given, says) -> {
          Certificates files = new Certificates(given.get(1), given.get(2), given.get(3));
          BadSettings thrown =
              assertThrows(
                  BadSettings.class, () -> Address.given(given.get(0), files, Map.of()), says);
          assertTrue(thrown.getMessage().contains(says), thrown.getMessage());
        });
  }

  @Test
  void aRouteGoesRoundAndNeverLeavesTls() {
    String homes = "https://a.example:1,https://b.example:2";
    Route route = new Route(Address.given(homes, Certificates.NONE, Map.of()));
    route.move("http://c.example:3");
    assertEquals("a.example:1", route.next().target());
    route.move("c.example:3");
    assertNotNull(route.next().tls());
    List<String> path = new ArrayList<>();
    for (int stop = 0; stop < 4; stop++) {
      path.add(route.next().target());
      route.failed();
    }
    assertEquals(List.of("c.example:3", "a.example:1", "b.example:2", "c.example:3"), path);
    route.move("b.example:2");
    assertEquals("b.example:2", route.next().target());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ValidatorException: PKIX path building failed ; tls/untrusted ; true",
        "CertificateException: No name matching b found ; tls/other_name ; true",
        "NotSslRecordException: not an SSL/TLS record: 00 ; tls/not_offered ; true",
        "io exception: Connection refused: /127.0.0.1:1 ; server/absent ; false",
        "Unable to resolve host nowhere ; server/unknown_host ; false",
        "Network closed for unknown reason ; server/hung_up ; false",
        "something else ; '' ; false",
      })
  void failedConnectionsAreExplained(String words, String reason, boolean isFinal) {
    Trouble trouble = Trouble.explain(new Address("h:1", null), words, false);
    assertEquals(reason, trouble.reason());
    assertEquals(isFinal, trouble.isFinal());
    assertFalse(trouble.sentence().isEmpty());
  }
}
