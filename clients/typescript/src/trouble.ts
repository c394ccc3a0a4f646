import type { Address } from "./address.js";

/** The explanation of a failed connection: what is wrong, and what to do. */
export interface Trouble {
  /** Stable, such as tls/untrusted; empty: the sentence is grpc's. */
  readonly reason: string;
  readonly sentence: string;
  /** Another attempt would fail the same way. */
  readonly final: boolean;
}

/** The explanation of a failed connection from grpc's words; `welcomed`: a session was open. */
export function explain(address: Address, details: string, welcomed: boolean): Trouble {
  const { target } = address;
  const says = (pattern: RegExp) => pattern.test(details);
  if (says(/ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/i)) {
    const sentence =
      `the certificate of the server is not for the name in ${target}; ` +
      "use the name that the certificate is for";
    return { reason: "tls/other_name", sentence, final: true };
  }
  if (
    says(
      /self.signed certificate|unable to (verify|get) .*certificate|CERT_|certificate has expired/i,
    )
  ) {
    const sentence =
      `the certificate of ${target} is not signed by a CA that is trusted here; ` +
      "set PADDOCK_TLS_CA or --tls-ca to the file of the server's CA (PEM)";
    return { reason: "tls/untrusted", sentence, final: true };
  }
  if (says(/wrong version number|packet length too long|ERR_SSL_/i)) {
    const sentence = `the server at ${target} does not use TLS; write http://${target} to connect without it`;
    return { reason: "tls/not_offered", sentence, final: true };
  }
  if (says(/ECONNREFUSED|ENOENT/)) {
    const sentence = `no server listens at ${target}; is it running?`;
    return { reason: "server/absent", sentence, final: false };
  }
  if (says(/ENOTFOUND|EAI_AGAIN|Name resolution failed/)) {
    const sentence = `the host name in ${target} is unknown; check the address`;
    return { reason: "server/unknown_host", sentence, final: false };
  }
  if (says(/ECONNRESET|Connection dropped|Failed to connect|EPIPE|hang up|closed|disconnected/i)) {
    const hint = welcomed ? "" : `; ${hintFor(address)}`;
    const sentence = `the server at ${target} closed the connection${hint}`;
    return { reason: "server/hung_up", sentence, final: false };
  }
  return { reason: "", sentence: details, final: false };
}

function hintFor({ target, tls, cert }: Address): string {
  if (!tls) return `if it uses TLS, write https://${target}`;
  if (!cert) return "if it wants client certificates, give --tls-cert and --tls-key";
  return "if it refuses this client certificate, give one that its CA signed";
}
