package dev.paddock;

/**
 * The explanation of a failed connection: what is wrong, and what to do.
 *
 * @param reason stable, such as tls/untrusted; empty: the sentence is grpc's
 * @param isFinal another attempt would fail the same way
 */
record Trouble(String reason, String sentence, boolean isFinal) {

  /**
   * Returns the explanation, from the words of grpc and of what caused it; `welcomed` tells whether
   * a session was open.
   */
  static Trouble explain(Address address, String details, boolean welcomed) {
    String target = address.target();
    if (says(details, "No subject alternative", "No name matching")) {
      String sentence = "the certificate of the server is not for the name in %s; ";
      String advice = "use the name that the certificate is for";
      return new Trouble("tls/other_name", String.format(sentence, target) + advice, true);
    }
    if (says(details, "PKIX path", "CertificateException", "CERTIFICATE_VERIFY_FAILED")) {
      String sentence = "the certificate of %s is not signed by a CA that is trusted here; ";
      String advice = "set PADDOCK_TLS_CA or --tls-ca to the file of the server's CA (PEM)";
      return new Trouble("tls/untrusted", String.format(sentence, target) + advice, true);
    }
    if (says(details, "not an SSL/TLS record", "WRONG_VERSION_NUMBER")) {
      String sentence = "the server at %s does not use TLS; write http://%s to connect without it";
      return new Trouble("tls/not_offered", String.format(sentence, target, target), true);
    }
    if (says(details, "Connection refused", "FileNotFoundException")) {
      String sentence = "no server listens at " + target + "; is it running?";
      return new Trouble("server/absent", sentence, false);
    }
    if (says(details, "UnknownHostException", "Unable to resolve host")) {
      String sentence = "the host name in " + target + " is unknown; check the address";
      return new Trouble("server/unknown_host", sentence, false);
    }
    if (says(details, "Network closed", "Connection reset", "Broken pipe", "closed", "SSL")) {
      String sentence = "the server at " + target + " closed the connection";
      String advice = welcomed ? "" : "; " + hint(address);
      return new Trouble("server/hung_up", sentence + advice, false);
    }
    return new Trouble("", details, false);
  }

  private static boolean says(String details, String... words) {
    for (String word : words) {
      if (details.contains(word)) {
        return true;
      }
    }
    return false;
  }

  private static String hint(Address address) {
    if (address.tls() == null) {
      return "if it uses TLS, write https://" + address.target();
    }
    return address.tls().cert().isEmpty()
        ? "if it wants client certificates, give --tls-cert and --tls-key"
        : "if it refuses this client certificate, give one that its CA signed";
  }
}
