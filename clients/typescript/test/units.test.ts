import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Certificates, givenAddresses } from "../src/address.js";
import { Backoff } from "../src/backoff.js";
import { BadSettings, Dice, matchSeed, play } from "../src/index.js";
import { digestOf, Part } from "../src/part.js";
import { Route } from "../src/route.js";
import { explain } from "../src/trouble.js";

for (const name of ["PADDOCK_SERVER", "PADDOCK_TLS_CA", "PADDOCK_BOT", "PADDOCK_TOKEN"]) {
  delete process.env[name];
}

test("dice are the same in every language", () => {
  const seed = matchSeed(Buffer.from("secret"), Uint8Array.of(1, 2, 3), 2);
  const dice = new Dice(seed, 7);
  const drawn: [number, number][] = [
    [1, 0],
    [2, 1],
    [6, 0],
    [100, 18],
    [1000, 822],
    [2147483648, 1550373958],
    [4294967296, 4159391217],
    [3221225472, 1597863352],
    [3221225472, 1054516021],
    [3221225472, 938244414],
    [10, 8],
    [10, 9],
  ];
  for (const [n, number] of drawn) assert.equal(dice.below(n), number);
  assert.throws(() => dice.below(0), RangeError);
  const [one, two] = [new Dice(seed, 0), new Dice(seed, 0)];
  assert.equal(one.rng(), two.rng());
  assert.notEqual(one.rng(), new Dice(seed, 1).rng());
});

test("a generator draws evenly", () => {
  const { rng } = new Dice(new Uint8Array(32), 0);
  const numbers = Array.from({ length: 10_000 }, () => rng());
  assert(numbers.every((number) => number >= 0 && number < 1));
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  assert(Math.abs(mean - 0.5) < 0.02, `the mean is ${mean}`);
});

test("waits double and never exceed ten seconds", () => {
  const backoff = new Backoff();
  for (let failures = 0; failures < 40; failures++) {
    const wait = backoff.nextMs(1_000);
    assert(wait >= 1_000 && wait < 1_000 + Math.min(10_000, 100 * 2 ** failures));
  }
  backoff.reset();
  assert(backoff.nextMs(0) < 100);
});

test("addresses", () => {
  const addresses: Record<string, string> = {
    "": "127.0.0.1:7911",
    "localhost:1": "localhost:1",
    "[::1]:2": "[::1]:2",
    "http://example.org:3": "example.org:3",
    "https://example.org:4/": "example.org:4 tls",
    "unix:/run/paddock": "unix:/run/paddock",
    "127.0.0.1:5, https://[2001::1]:6": "127.0.0.1:5|[2001::1]:6 tls",
  };
  for (const [server, want] of Object.entries(addresses)) {
    const got = givenAddresses(server).map(({ target, tls }) => target + (tls ? " tls" : ""));
    assert.equal(got.join("|"), want);
  }
});

test("addresses that can't be used", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "paddock-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const empty = join(folder, "empty.pem");
  writeFileSync(empty, "");
  const wrong: [string, Certificates, RegExp][] = [
    ["example.org:1", {}, /another machine/],
    ["127.0.0.1:5,example.org:1", {}, /another machine/],
    ["127.0.0.1", {}, /write HOST:PORT/],
    ["127.0.0.1:99999", {}, /write HOST:PORT/],
    ["ftp://127.0.0.1:1", {}, /write HOST:PORT/],
    [",", {}, /write HOST:PORT/],
    ["unix:", {}, /write unix:PATH/],
    ["http://127.0.0.1:1", { tlsCa: empty }, /TLS is in use/],
    ["127.0.0.1:1", { tlsCa: "absent.pem" }, /absent.pem: there is no such file/],
    ["127.0.0.1:1", { tlsCa: empty }, /no certificate/],
    ["127.0.0.1:1", { tlsCert: empty, tlsKey: empty }, /needs TLS/],
    ["127.0.0.1:1", { tlsCert: empty }, /both or neither/],
  ];
  for (const [server, files, says] of wrong) {
    assert.throws(
      () => givenAddresses(server, files),
      (problem) => problem instanceof BadSettings && says.test(problem.message),
      `${server} ${JSON.stringify(files)}`,
    );
  }
});

test("a route goes round and never leaves TLS", () => {
  const route = new Route(givenAddresses("https://a.example:1,https://b.example:2"));
  route.move("http://c.example:3");
  assert.equal(route.next.target, "a.example:1");
  route.move("c.example:3");
  assert(route.next.tls);
  const path = [0, 1, 2, 3].map(() => {
    const { target } = route.next;
    route.failed();
    return target;
  });
  assert.deepEqual(path, ["c.example:3", "a.example:1", "b.example:2", "c.example:3"]);
});

test("failed connections are explained", () => {
  const reasons: [string, string, boolean][] = [
    ["Last error: Error: self-signed certificate in certificate chain", "tls/untrusted", true],
    ["Hostname/IP does not match certificate's altnames", "tls/other_name", true],
    ["Error: 40:error:0A00010B:SSL routines::wrong version number", "tls/not_offered", true],
    ["Error: connect ECONNREFUSED 127.0.0.1:1", "server/absent", false],
    ["Name resolution failed for target dns:nowhere:1", "server/unknown_host", false],
    ["Connection dropped", "server/hung_up", false],
    ["No connection established. Last error: Failed to connect", "server/hung_up", false],
    ["something else", "", false],
  ];
  for (const [details, reason, final] of reasons) {
    const trouble = explain({ target: "h:1", tls: false }, details, false);
    assert.deepEqual([trouble.reason, trouble.final], [reason, final]);
    assert(trouble.sentence);
  }
});

test("settings that can't be used", async () => {
  const choose = () => 0;
  await assert.rejects(play({ choose }, { token: "pdk\u0000" }), /token: it has invalid/);
  await assert.rejects(play({ choose, maxMatches: 0 }), /maxMatches: give 1 or more/);
  await assert.rejects(play({ choose, formats: "summer" as never }), /formats: give a list/);
  await assert.rejects(play({ choose }, { server: "nowhere" }), BadSettings);
});

test("a nonce is opened only to a server that keeps to its digests", () => {
  const part = new Part("M", 1);
  const none = Buffer.alloc(16);
  const theirs = digestOf(none);
  const commitment = part.begin(true)?.item;
  assert(commitment?.$case === "nonceCommitment");
  const mine = commitment.value.digest;
  assert.equal(part.begin(false), undefined);
  assert.equal(part.told([mine, theirs]), undefined);
  assert.equal(part.told([]), undefined);
  const opened = part.told([theirs, mine])?.item;
  assert(opened?.$case === "nonce");
  const { nonce } = opened.value;
  assert.deepEqual(digestOf(nonce), mine);
  assert.deepEqual(part.told([theirs, mine])?.item, opened);
  assert.equal(part.told([mine, mine]), undefined);
  assert.equal(part.wrong([none, nonce]), "");
  assert.match(part.wrong([none]), /1 nonces of 2 seats/);
  assert.match(part.wrong([nonce, nonce]), /seat 0 does not fit/);
  assert.match(part.wrong([none, none]), /without the nonce of this seat/);
});

test("a nonce is sent at once where nobody commits", () => {
  const part = new Part("M", 0);
  assert.equal(part.told([]), undefined);
  assert.equal(part.begin(false)?.item?.$case, "nonce");
  assert.equal(part.wrong([]), "");
});
