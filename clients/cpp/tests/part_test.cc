// The part of a client in a deal.
#include "part.h"

#include <gtest/gtest.h>

#include "digest.h"

namespace paddock {
namespace {

const std::string kNone(16, '\0');

v1::NonceCommitments digests(const std::vector<std::string>& all) {
  v1::NonceCommitments message;
  for (const std::string& digest : all) message.add_digests(digest);
  return message;
}

TEST(Part, ANonceIsOpenedOnlyToAServerThatKeepsToItsDigests) {
  Part part("M", 1);
  const std::string theirs = sha256(kNone);
  const auto commitment = part.begin(true);
  ASSERT_TRUE(commitment && commitment->has_nonce_commitment());
  const std::string mine = commitment->nonce_commitment().digest();
  EXPECT_FALSE(part.begin(false)) << "the digests of the others are not known";
  EXPECT_FALSE(part.told(digests({mine, theirs}))) << "its digest is not there";
  EXPECT_FALSE(part.told(digests({}))) << "its digest is not there";
  std::string nonce;
  for (int turn = 0; turn < 2; ++turn) {
    const auto opened = part.told(digests({theirs, mine}));
    ASSERT_TRUE(opened && opened->has_nonce());
    EXPECT_EQ(opened->nonce().match_id(), "M");
    nonce = opened->nonce().nonce();
    EXPECT_EQ(sha256(nonce), mine);
  }
  EXPECT_FALSE(part.told(digests({mine, mine}))) << "other digests than before";
  EXPECT_FALSE(part.told(digests({}))) << "other digests than before";
  EXPECT_FALSE(part.begin(false)) << "it was bound before";

  EXPECT_EQ(part.wrong({kNone, nonce}), "");
  EXPECT_EQ(part.wrong({kNone}), "the server tells 1 nonces of 2 seats");
  EXPECT_EQ(part.wrong({nonce, nonce}),
            "the nonce of seat 0 does not fit the digest that was told before");
  EXPECT_EQ(part.wrong({kNone, kNone}),
            "the deal was made without the nonce of this seat, as if it had been late");
}

TEST(Part, ANonceIsSentAtOnceWhereNobodyCommits) {
  Part part("M", 0);
  const auto opened = part.begin(false);
  ASSERT_TRUE(opened && opened->has_nonce());
  EXPECT_FALSE(part.told(digests({sha256(opened->nonce().nonce())}))) << "its digest was not sent";
  EXPECT_EQ(part.wrong({}), "");
}

}  // namespace
}  // namespace paddock
