package dev.paddock;

import dev.paddock.PaddockException.BadSettings;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/** The files that TLS needs, PEM; empty: none. */
record Certificates(String ca, String cert, String key) {
  static final Certificates NONE = new Certificates("", "", "");

  /** Throws BadSettings where a file can't be used. */
  void check() {
    context();
  }

  /** Returns what a connection with TLS needs. */
  SslContext context() {
    if (!ca.isEmpty()) {
      checkAuthority();
    }
    try {
      SslContextBuilder context = GrpcSslContexts.forClient();
      if (!ca.isEmpty()) {
        context.trustManager(new File(ca));
      }
      if (!cert.isEmpty()) {
        context.keyManager(new File(cert), new File(key));
      }
      return context.build();
    } catch (IOException | IllegalArgumentException wrong) {
      Throwable cause = wrong.getCause() == null ? wrong : wrong.getCause();
      String file = cert.isEmpty() ? ca : cert;
      throw new BadSettings(file + ": the file can't be used: " + cause.getMessage());
    }
  }

  private void checkAuthority() {
    boolean empty;
    try (InputStream file = new FileInputStream(ca)) {
      empty = CertificateFactory.getInstance("X.509").generateCertificates(file).isEmpty();
    } catch (CertificateException wrong) {
      empty = true;
    } catch (IOException absent) {
      throw new BadSettings(absent.getMessage());
    }
    if (empty) {
      String sentence = ": the file has no certificate; give the file of the server's CA (PEM)";
      throw new BadSettings(ca + sentence);
    }
  }
}
