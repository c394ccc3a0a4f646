// The address of a server.
#include "address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "paddock/paddock.h"

namespace paddock {

namespace {

constexpr const char* kUnix = "unix:";

struct Place {
  std::string host;
  std::string port;
};

bool starts_with(const std::string& text, const std::string& with) {
  return text.rfind(with, 0) == 0;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

bool is_here(const std::string& host) {
  in_addr four{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six{};
  if (inet_pton(AF_INET6, host.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
  return host == "localhost";
}

// The host and the port of HOST:PORT; none where there is no such thing.
std::optional<Place> split(std::string text) {
  if (!text.empty() && text.back() == '/') text.pop_back();
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::string host = text.substr(0, colon);
  const std::string port = text.substr(colon + 1);
  if (!host.empty() && host.front() == '[') {
    if (host.back() != ']') return std::nullopt;
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    return std::nullopt;
  }
  const auto is_digit = [](unsigned char sign) { return std::isdigit(sign) != 0; };
  if (host.empty() || host.find_first_of(" \t\r\n/@?#[]") != std::string::npos) return std::nullopt;
  if (port.empty() || port.size() > 5 || !std::all_of(port.begin(), port.end(), is_digit)) {
    return std::nullopt;
  }
  if (std::stoi(port) > 65535) return std::nullopt;
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
  return Place{host, std::to_string(std::stoi(port))};
}

// The place of a server, without certificates; with `tls` it has to use TLS.
Address read_place(const std::string& server, bool tls) {
  const auto in_use = [&server] {
    return BadSettings("server: " + quoted(server) +
                       " means no TLS, but TLS is in use; write https://");
  };
  Address address;
  if (starts_with(server, kUnix)) {
    if (tls) throw in_use();
    if (server == kUnix) throw BadSettings("server: write unix:PATH with the path of a socket");
    address.target = server;
    return address;
  }
  const std::size_t mark = server.find("://");
  const std::string scheme = mark == std::string::npos ? "" : server.substr(0, mark);
  const std::string rest = mark == std::string::npos ? server : server.substr(mark + 3);
  const auto place = split(rest);
  const bool is_known = mark == std::string::npos || scheme == "http" || scheme == "https";
  if (!place || !is_known) {
    throw BadSettings("server: write HOST:PORT or https://HOST:PORT, not " + quoted(server));
  }
  if (scheme == "http" && tls) throw in_use();
  address.tls = tls || scheme == "https";
  if (mark == std::string::npos && !address.tls && !is_here(place->host)) {
    throw BadSettings("server: " + place->host + " is another machine; write https://" + rest +
                      ", or http://" + rest + " to send everything unencrypted, also the token");
  }
  const bool is_six = place->host.find(':') != std::string::npos;
  address.target = (is_six ? "[" + place->host + "]" : place->host) + ":" + place->port;
  return address;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw BadSettings(path + ": " + std::strerror(errno));
  return text.str();
}

}  // namespace

Address read_address(const std::string& server, const CertificateFiles& files) {
  Address address = read_place(server, !files.ca.empty());
  if (files.cert.empty() != files.key.empty()) {
    throw BadSettings("tls_cert and tls_key: give both or neither");
  }
  if (!files.cert.empty() && !address.tls) {
    throw BadSettings("server: a client certificate needs TLS; write https://" + address.target);
  }
  if (!files.ca.empty()) {
    address.ca = read_file(files.ca);
    if (address.ca.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
      throw BadSettings(files.ca +
                        ": the file has no certificate; give the file of the server's CA (PEM)");
    }
  }
  if (!files.cert.empty()) {
    address.cert = read_file(files.cert);
    address.key = read_file(files.key);
  }
  return address;
}

std::vector<Address> read_addresses(const std::string& list, const CertificateFiles& files,
                                    const std::string& env_ca) {
  std::vector<Address> addresses;
  std::istringstream servers(list);
  std::string server;
  while (std::getline(servers, server, ',')) {
    const std::size_t begin = server.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    server = server.substr(begin, server.find_last_not_of(" \t") - begin + 1);
    CertificateFiles own = files;
    const bool is_plain = starts_with(server, "http://") || starts_with(server, kUnix);
    if (own.ca.empty() && !is_plain) own.ca = env_ca;
    addresses.push_back(read_address(server, own));
  }
  if (addresses.empty()) {
    throw BadSettings(
        "server: write HOST:PORT or https://HOST:PORT, or several with commas between them");
  }
  return addresses;
}

Address redirected(const Address& home, const std::string& server) {
  Address address = home;
  const Address place = read_place(server, home.tls);
  address.target = place.target;
  address.tls = place.tls;
  return address;
}

}  // namespace paddock
