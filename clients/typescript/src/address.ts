import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { BadSettings } from "./errors.js";

/** The server where nobody names one. */
export const DEFAULT_SERVER = "127.0.0.1:7911";
const UNIX = "unix:";

/** The address of a server: plain on this machine, with TLS beyond it. */
export interface Address {
  /** HOST:PORT or unix:PATH. */
  readonly target: string;
  readonly tls: boolean;
  readonly ca?: Uint8Array | undefined;
  readonly cert?: Uint8Array | undefined;
  readonly key?: Uint8Array | undefined;
}

/** The files that TLS needs, PEM. */
export interface Certificates {
  /** Of the server's CA; turns TLS on. */
  readonly tlsCa?: string | undefined;
  /** The bot's own certificate. */
  readonly tlsCert?: string | undefined;
  /** The key of the bot's certificate. */
  readonly tlsKey?: string | undefined;
}

/** The addresses in a list with commas; by default that of PADDOCK_SERVER. */
export function givenAddresses(server?: string, files: Certificates = {}): Address[] {
  const servers = server || process.env.PADDOCK_SERVER || DEFAULT_SERVER;
  if (!files.tlsCert !== !files.tlsKey) {
    throw new BadSettings("tlsCert and tlsKey: give both or neither");
  }
  const list = servers.split(",").map((one) => one.trim());
  const addresses = list.filter(Boolean).map((one) => {
    const plain = one.startsWith("http://") || one.startsWith(UNIX);
    const ca = files.tlsCa || (plain ? undefined : process.env.PADDOCK_TLS_CA || undefined);
    return address(one, { ...files, tlsCa: ca });
  });
  if (addresses.length === 0) throw badServer(servers);
  return addresses;
}

function address(server: string, files: Certificates): Address {
  const place = placeOf(server, files.tlsCa !== undefined);
  if (files.tlsCert && !place.tls) {
    const sentence = `server: a client certificate needs TLS; write https://${place.target}`;
    throw new BadSettings(sentence);
  }
  const [ca, cert, key] = [files.tlsCa, files.tlsCert, files.tlsKey].map(read);
  if (ca) check(`${files.tlsCa}`, () => new X509Certificate(ca));
  if (cert && key) {
    try {
      createSecureContext({ cert: Buffer.from(cert), key: Buffer.from(key) });
    } catch {
      throw new BadSettings(`${files.tlsCert}: it is not a certificate with that key (PEM)`);
    }
  }
  return { ...place, ca, cert, key };
}

/**
 * The address that a server sends its bots to: with the same certificates, and never without TLS
 * where TLS is in use.
 */
export function redirected(home: Address, server: string): Address {
  return { ...home, ...placeOf(server, home.tls) };
}

/** Whether a host is this machine. */
function isHere(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith("127.");
  return host === "::1" || host === "localhost";
}

function placeOf(server: string, secure: boolean): { target: string; tls: boolean } {
  if (server.startsWith(UNIX)) {
    if (server === UNIX || secure) {
      throw new BadSettings(`server: write unix:PATH, without TLS, not "${server}"`);
    }
    return { target: server, tls: false };
  }
  const parts = /^(?:(https?):\/\/)?((?:\[([\da-f:.]+)\]|([^\s:/?#@[\]]+)):(\d{1,5}))\/?$/i.exec(
    server,
  );
  const [, scheme, target, v6, name, port] = parts ?? [];
  const host = v6 ?? name;
  if (!target || !host || Number(port) > 65535 || (v6 && isIP(v6) !== 6)) throw badServer(server);
  if (scheme === "http" && secure) {
    throw new BadSettings(`server: "${server}" means no TLS, but TLS is in use; write https://`);
  }
  const tls = secure || scheme === "https";
  if (!scheme && !tls && !isHere(host)) {
    throw new BadSettings(
      `server: ${host} is another machine; write https://${target}, ` +
        `or http://${target} to send everything unencrypted, also the token`,
    );
  }
  return { target, tls };
}

function badServer(server: string): BadSettings {
  return new BadSettings(`server: write HOST:PORT or https://HOST:PORT, not "${server}"`);
}

function check(path: string, use: () => unknown): void {
  try {
    use();
  } catch {
    throw new BadSettings(
      `${path}: the file has no certificate; give the file of the server's CA (PEM)`,
    );
  }
}

function read(path: string | undefined): Uint8Array | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path);
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException;
    throw new BadSettings(`${path}: ${code === "ENOENT" ? "there is no such file" : code}`);
  }
}
