// The part of this client in a deal.
#include "part.h"

#include "digest.h"
#include "log.h"

namespace paddock {

namespace {

constexpr std::size_t kNonceBytes = 16;

}  // namespace

Part::Part(std::string match_id, std::size_t seat)
    : match_id_(std::move(match_id)), seat_(seat), nonce_(random_bytes(kNonceBytes)) {}

std::optional<v1::BotItem> Part::begin(bool commit) {
  const std::lock_guard lock(mutex_);
  if (commit) {
    is_committed_ = true;
    v1::BotItem item;
    item.mutable_nonce_commitment()->set_match_id(match_id_);
    item.mutable_nonce_commitment()->set_digest(sha256(nonce_));
    return item;
  }
  if (is_committed_) return std::nullopt;
  return open();
}

std::optional<v1::BotItem> Part::told(const v1::NonceCommitments& message) {
  const std::lock_guard lock(mutex_);
  const std::vector<std::string> told(message.digests().begin(), message.digests().end());
  const bool is_mine = seat_ < told.size() && told[seat_] == sha256(nonce_);
  if (!is_committed_ || !is_mine || (!digests_.empty() && digests_ != told)) return std::nullopt;
  digests_ = told;
  return open();
}

std::string Part::wrong(const std::vector<std::string>& nonces) {
  const std::lock_guard lock(mutex_);
  if (digests_.empty()) return "";
  if (nonces.size() != digests_.size()) {
    return log::joined("the server tells ", nonces.size(), " nonces of ", digests_.size(),
                       " seats");
  }
  const std::string none(kNonceBytes, '\0');
  for (std::size_t seat = 0; seat < nonces.size(); ++seat) {
    if (nonces[seat] != none && sha256(nonces[seat]) != digests_[seat]) {
      return log::joined("the nonce of seat ", seat,
                         " does not fit the digest that was told before");
    }
  }
  if (nonces[seat_] != nonce_) {
    return "the deal was made without the nonce of this seat, as if it had been late";
  }
  return "";
}

v1::BotItem Part::open() const {
  v1::BotItem item;
  item.mutable_nonce()->set_match_id(match_id_);
  item.mutable_nonce()->set_nonce(nonce_);
  return item;
}

}  // namespace paddock
