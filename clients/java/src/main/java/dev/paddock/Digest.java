package dev.paddock;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** Digests, and bytes that nobody can foretell. */
final class Digest {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Digest() {}

  static ByteString sha256(ByteString bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteString.copyFrom(digest.digest(bytes.toByteArray()));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every Java has it
    }
  }

  static ByteString random(int size) {
    byte[] bytes = new byte[size];
    RANDOM.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }
}
