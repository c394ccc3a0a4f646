// Explanations of failed connections.
#include "trouble.h"

#include <initializer_list>

namespace paddock {

namespace {

std::string hint(const Address& address) {
  if (address.target.rfind("unix:", 0) == 0) return "is it a server of Paddock?";
  if (!address.tls) return "if it uses TLS, write https://" + address.target;
  if (address.cert.empty()) return "if it wants client certificates, give --tls-cert and --tls-key";
  return "if it refuses this client certificate, give one that its CA signed";
}

}  // namespace

Trouble explain(const Address& address, const std::string& details, bool is_welcomed) {
  const std::string& target = address.target;
  const auto says = [&details](std::initializer_list<const char*> words) {
    for (const char* word : words) {
      if (details.find(word) != std::string::npos) return true;
    }
    return false;
  };
  if (says({"CERTIFICATE_VERIFY_FAILED", "certificate verify failed"})) {
    return {"tls/untrusted",
            "the certificate of " + target +
                " is not signed by a CA that is trusted here; set PADDOCK_TLS_CA or --tls-ca to "
                "the file of the server's CA (PEM)",
            true};
  }
  if (says({"Hostname Verification Check failed", "Peer name"})) {
    return {"tls/other_name",
            "the certificate of the server is not for the name in " + target +
                "; use the name that the certificate is for",
            true};
  }
  if (says({"WRONG_VERSION_NUMBER", "wrong version number"})) {
    return {"tls/not_offered",
            "the server at " + target + " does not use TLS; write http://" + target +
                " to connect without it",
            true};
  }
  if (says({"Connection refused", "No such file"})) {
    return {"server/absent", "no server listens at " + target + "; is it running?"};
  }
  if (says({"Domain name not found", "name resolution", "DNS resolution failed"})) {
    return {"server/unknown_host", "the host name in " + target + " is unknown; check the address"};
  }
  if (says({"watchdog timeout", "ping timeout", "timed out"})) {
    return {"server/silent", "the server at " + target + " does not answer"};
  }
  if (says({"Socket closed", "Connection reset", "Broken pipe"})) {
    return {"server/hung_up", "the server at " + target + " closed the connection" +
                                  (is_welcomed ? "" : "; " + hint(address))};
  }
  return {"", details};
}

}  // namespace paddock
