// Digests and random bytes, from OpenSSL.
#include "digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace paddock {

namespace {

const unsigned char* data(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* data(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

}  // namespace

std::string sha256(std::string_view bytes) {
  std::string digest(32, '\0');
  if (EVP_Digest(bytes.data(), bytes.size(), data(digest), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 failed");
  }
  return digest;
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::string digest(32, '\0');
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data(bytes), bytes.size(),
           data(digest), nullptr) == nullptr) {
    throw std::runtime_error("HMAC-SHA-256 failed");
  }
  return digest;
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(data(bytes), static_cast<int>(count)) != 1) {
    throw std::runtime_error("the system has no random numbers");
  }
  return bytes;
}

}  // namespace paddock
