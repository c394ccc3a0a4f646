import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { status } from "@grpc/grpc-js";
import { type Ask, type Bot, FORMATS, Refused, Unreachable, v1 } from "../src/index.js";
import { aMatch, ask, goodbye, numberOf, ping, Stage, start } from "./stage.js";

const choosing = (choose: Bot["choose"]): Bot => ({ choose });
const first = choosing(() => 0);

/** A bot that chooses 1, then 2, and so on. */
function counting(): Bot & { calls: number } {
  return {
    calls: 0,
    choose() {
      return ++this.calls;
    },
  };
}

test("Hello says who the bot is, and a bot that is stopped ends", async (t) => {
  const stage = await Stage.open(t);
  const { stop, ended } = stage.start(first);
  const [, hello] = await stage.welcome();
  assert.deepEqual(
    hello,
    v1.Hello.create({
      bot: "tested",
      version: "1",
      client: "paddock-typescript/0.1.0",
      protocol: 1,
      maxMatches: 8,
      sendsNonces: true,
      commitsNonces: true,
      language: "TypeScript",
      knownFormats: [...FORMATS],
    }),
  );
  stop();
  await ended;
});

test("an ask told again gets the same answer, and another view a new choice", async (t) => {
  const stage = await Stage.open(t);
  const bot = counting();
  stage.start(bot);
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  const [one, two] = asks as [v1.Ask, v1.Ask];
  call.say(start(started), ask(one), ask(one));
  await call.expect("nonce");
  assert.equal(numberOf(await call.expect("choice")), 1);
  call.say(ask({ ...one, timeMs: 5 }));
  assert.equal(numberOf(await call.expect("choice")), 1);
  call.say(ask({ ...two, askId: one.askId }));
  assert.equal(numberOf(await call.expect("choice")), 2);
  assert.equal(bot.calls, 2);
});

test("a choice itself is as good as its number, also from an async bot", async (t) => {
  const stage = await Stage.open(t);
  stage.start(
    choosing(async (asked: Ask) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return asked.legal[2];
    }),
  );
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  call.say(start(started), ask(asks[0] as v1.Ask));
  await call.expect("nonce");
  assert.equal(numberOf(await call.expect("choice")), 2);
});

test("pings are answered while the bot blocks its thread", async (t) => {
  const stage = await Stage.open(t);
  const path = fileURLToPath(new URL("./blocking_bot.js", import.meta.url));
  const bot = spawn(process.execPath, [path], {
    env: { ...process.env, PADDOCK_SERVER: stage.address },
    stdio: ["ignore", "ignore", "ignore"],
  });
  t.after(() => bot.kill("SIGKILL"));
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  call.say(start(started), ask(asks[0] as v1.Ask));
  await call.expect("nonce");
  for (const id of [1n, 2n, 3n]) {
    call.say(ping(id));
    assert.equal((await call.expect("pong")).id, id);
  }
  assert.equal(numberOf(await call.expect("choice")), 3);
  const exited = once(bot, "exit");
  bot.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
});

test("a bot that fails is reported as a fallback", async (t) => {
  const failures: [Bot["choose"], RegExp][] = [
    [
      () => {
        throw new TypeError("lost");
      },
      /^TypeError: lost$/,
    ],
    [
      async () => {
        throw new Error("no idea");
      },
      /^Error: no idea$/,
    ],
    [() => -1, /choose returned -1, which is not one of ask.legal/],
    [() => undefined, /choose returned undefined/],
    [() => 0.5, /choose returned 0.5/],
    [
      () => {
        throw new Error("é".repeat(300));
      },
      /^Error: é{193}$/,
    ],
  ];
  for (const [choose, reason] of failures) {
    const stage = await Stage.open(t);
    stage.start(choosing(choose));
    const [call] = await stage.welcome();
    const { started, asks } = aMatch();
    call.say(start(started), ask(asks[0] as v1.Ask));
    await call.expect("nonce");
    const choice = await call.expect("choice");
    assert.match(choice.fallback, reason);
    call.say(ask(asks[0] as v1.Ask));
    assert.deepEqual(await call.expect("choice"), choice);
  }
});

test("many long reasons go into several frames", async (t) => {
  const stage = await Stage.open(t);
  stage.start(
    choosing(() => {
      throw new Error("\u20ac".repeat(300));
    }),
  );
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  const [one] = asks as [v1.Ask];
  call.say(start(started), ask(one));
  await call.expect("nonce");
  const { fallback } = await call.expect("choice");
  call.say(...Array.from({ length: 300 }, () => ask(one))); // too much for one frame
  for (let turn = 0; turn < 300; turn += 1) {
    assert.equal((await call.expect("choice")).fallback, fallback);
  }
});

test("an ask that can't be read is reported as a fallback", async (t) => {
  const stage = await Stage.open(t);
  stage.start(first);
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  const [one] = asks as [v1.Ask];
  const game = one.view?.game;
  assert(game?.$case === "draftosaurus");
  game.value.hand[0] = 99 as never;
  call.say(start(started), ask(one));
  await call.expect("nonce");
  assert.match((await call.expect("choice")).fallback, /species 99 is unknown/);
});

test("items and fields of a newer server are passed over", async (t) => {
  const stage = await Stage.open(t);
  stage.start(choosing(() => 3));
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  const news = new BinaryWriter()
    .uint32((1999 << 3) | 2)
    .string("news")
    .finish();
  const item = (encoded: Uint8Array) => new BinaryWriter().uint32(10).bytes(encoded).finish();
  const told = v1.Ask.encode(asks[0] as v1.Ask).finish();
  const asked = new BinaryWriter()
    .uint32(26)
    .bytes(Buffer.concat([told, news]))
    .finish();
  call.sayBytes(Buffer.concat([news, item(news)]));
  call.say(undefined, start(started));
  call.sayBytes(Buffer.concat([item(news), item(asked), news]));
  await call.expect("nonce");
  assert.equal(numberOf(await call.expect("choice")), 3);
});

test("a bot resumes with its token, nonce and answer", async (t) => {
  const stage = await Stage.open(t);
  stage.start(counting());
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  const [one, two] = asks as [v1.Ask, v1.Ask];
  call.say(start(started), ask(one));
  const nonce = await call.expect("nonce");
  assert.equal(nonce.nonce.length, 16);
  const choice = await call.expect("choice");
  call.end(status.UNAVAILABLE, "gone");
  const [again, hello] = await stage.welcome();
  assert.equal(hello.resumeToken, "again");
  again.say(start(started), ask(one), ask(two));
  assert.deepEqual(await again.expect("nonce"), nonce);
  assert.deepEqual(await again.expect("choice"), choice);
  assert.equal(numberOf(await again.expect("choice")), 2);
});

test("nonces come in two steps where the server wants it", async (t) => {
  const stage = await Stage.open(t);
  stage.start(first);
  const [call] = await stage.welcome();
  const { started } = aMatch();
  started.commitNonces = true;
  const { matchId } = started;
  call.say(start(started), start(started));
  const commitment = await call.expect("nonceCommitment");
  assert.deepEqual(await call.expect("nonceCommitment"), commitment);
  const all = (mine: Uint8Array) => {
    const digests = started.seats.map((_, seat) =>
      seat === started.seat ? mine : Buffer.alloc(32),
    );
    return { $case: "nonceCommitments", value: { matchId, digests } } as const;
  };
  call.say(all(Buffer.alloc(32)), ping(7n), all(commitment.digest));
  assert.equal((await call.expect("pong")).id, 7n);
  const { nonce } = await call.expect("nonce");
  assert.deepEqual(createHash("sha256").update(nonce).digest(), commitment.digest);
});

test("a bot that is refused ends", async (t) => {
  const refusals: [status, string][] = [
    [status.UNAUTHENTICATED, "auth/bad_token: copy it again"],
    [status.INVALID_ARGUMENT, "format/unknown: no such"],
    [status.ABORTED, "session/replaced: another one"],
  ];
  for (const [code, sentence] of refusals) {
    const stage = await Stage.open(t);
    const { ended } = stage.start(first);
    const [call] = await stage.welcome();
    call.end(code, sentence);
    await assert.rejects(ended, (problem) => {
      return problem instanceof Refused && problem.message === sentence;
    });
  }
});

test("a Goodbye says when and where to come back", async (t) => {
  const [stage, elsewhere] = [await Stage.open(t), await Stage.open(t)];
  const { ended } = stage.start(first);
  const [call] = await stage.welcome();
  const began = Date.now();
  call.say(goodbye({ returnAfterMs: 300, address: elsewhere.address }));
  call.end();
  const [there, hello] = await elsewhere.welcome();
  assert(Date.now() - began >= 300);
  assert.equal(hello.resumeToken, "again");
  there.say(goodbye({ reason: "server/draining", sentence: "for good" }));
  there.end();
  await assert.rejects(ended, { message: "server/draining: for good" });
});

test("the next server of a list is tried after a failure", async (t) => {
  const stage = await Stage.open(t);
  stage.start(first, { server: `${stage.address}-nobody, ${stage.address}` });
  await stage.welcome();
});

test("a bot gives up where it is told to", async (t) => {
  const stage = await Stage.open(t);
  const settings = { server: `${stage.address}-nobody`, giveUpAfterMs: 1 };
  const { ended } = stage.start(first, settings);
  await assert.rejects(ended, (problem) => {
    return problem instanceof Unreachable && /no server listens/.test(problem.message);
  });
});

test("a bot hears of its match in order", async (t) => {
  const stage = await Stage.open(t);
  const heard: string[] = [];
  let tellAll: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    tellAll = resolve;
  });
  const { stop, ended } = stage.start({
    started: (match) => void heard.push(`started ${match.format}`),
    choose: () => heard.push("choose") - heard.length,
    refused: async (_, refusal) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      heard.push(refusal.reason);
    },
    happened: (_, event) => {
      heard.push(...event.revealed.map(({ choice, fault }) => `${choice} ${fault}`));
    },
    ended: (_, result) => {
      heard.push(`ended ${result.keptItsWord}`);
      tellAll();
      throw new Error("a method that fails does no harm");
    },
  });
  const [call] = await stage.welcome();
  const { started, asks } = aMatch();
  const { matchId, seat } = started;
  const [one] = asks as [v1.Ask];
  call.say(start(started), ask(one));
  await call.expect("nonce");
  await call.expect("choice");
  const refused = { askId: one.askId, reason: "choice/stale", sentence: "" };
  const revealed = [{ seat, choice: one.choices[0], fault: v1.Fault.TIMEOUT }];
  call.say(
    { $case: "refused", value: refused },
    { $case: "happened", value: { matchId, step: 0, revealed } },
    { $case: "matchEnded", value: v1.MatchEnded.create({ matchId }) },
  );
  await all;
  assert.deepEqual(heard, [
    "started summer",
    "choose",
    "choice/stale",
    "PLACE T_REX in PRAIRIE_OF_LOVE TIMEOUT",
    "ended null",
  ]);
  call.say(ping(1n));
  await call.expect("pong");
  stop();
  await ended;
});
