// Explanations of failed connections: what is wrong, and what to do.
#pragma once

#include <string>

#include "address.h"

namespace paddock {

struct Trouble {
  std::string reason;  // stable, such as tls/untrusted; empty: the sentence is grpc's
  std::string sentence;
  bool is_final = false;  // another attempt would fail the same way
};

// The explanation of a connection that failed or, after a welcome, broke off, from the details of
// grpc.
Trouble explain(const Address& address, const std::string& details, bool is_welcomed);

}  // namespace paddock
