// The address of a server: plain on this machine, with TLS beyond it.
#pragma once

#include <string>
#include <vector>

namespace paddock {

// The address of a server, with the text of its certificates.
struct Address {
  std::string target;  // HOST:PORT or unix:PATH
  bool tls = false;
  std::string ca;
  std::string cert;
  std::string key;

  bool operator==(const Address&) const = default;
};

// The files of certificates; empty: none.
struct CertificateFiles {
  std::string ca;
  std::string cert;
  std::string key;
};

// The address in HOST:PORT, https://HOST:PORT, http://HOST:PORT or unix:PATH. https and the file of
// a CA turn TLS on; plaintext to another machine needs http. Throws BadSettings.
Address read_address(const std::string& server, const CertificateFiles& files);

// The addresses in a comma-separated list. `env_ca` is the CA's file of the environment, which
// counts where no other is given and the address says neither http nor unix.
std::vector<Address> read_addresses(const std::string& list, const CertificateFiles& files,
                                    const std::string& env_ca);

// The address that a server sends its bots to: with the same certificates, and never without TLS
// where TLS is in use.
Address redirected(const Address& home, const std::string& server);

}  // namespace paddock
