// A bot in plain Node, straight from the contract: no library of ours, only gRPC.
//   node bot.js [HOST:PORT [NAME [TOKEN]]]    or PADDOCK_SERVER, PADDOCK_BOT and PADDOCK_TOKEN
'use strict';
const crypto = require('node:crypto');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const SERVER = process.argv[2] || process.env.PADDOCK_SERVER || '127.0.0.1:7911';
const NAME = process.argv[3] || process.env.PADDOCK_BOT || 'node';
const TOKEN = process.argv[4] || process.env.PADDOCK_TOKEN;
const LONGEST_WAIT_MS = 10_000;

// The whole strategy: any legal choice will do. `ask.view` is what the seat knows.
function choose(ask) {
  return crypto.randomInt(ask.choices.length);
}

// Where `choose` fails, the referee plays its default choice and counts a fallback.
function answer(ask) {
  try {
    const number = choose(ask);
    if (ask.choices[number]) return { ask_id: ask.ask_id, number };
    throw new RangeError(`choose returned ${number}, which is not the number of a choice`);
  } catch (error) {
    console.error(error);
    return { ask_id: ask.ask_id, number: 0, fallback: String(error).slice(0, 200) };
  }
}

// Ids are 64 bits wide, more than a number holds here: they stay strings.
const { ArenaService } = grpc.loadPackageDefinition(
  loader.loadSync('paddock/v1/arena.proto', {
    includeDirs: [path.join(__dirname, '..', '..', 'proto')],
    keepCase: true, longs: String, enums: String, oneofs: true, defaults: true,
  }),
).paddock.v1;

// In the clear only on this machine, or where http:// asks for it; else with TLS.
const isPlain = /^(http:\/\/|localhost:|127\.|\[::1\])/.test(SERVER);
const credentials = isPlain ? grpc.credentials.createInsecure() : grpc.credentials.createSsl();
const client = new ArenaService(SERVER.replace(/^https?:\/\//, ''), credentials, {
  'grpc.keepalive_time_ms': 10_000, // a server that froze says nothing: ping it
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.max_reconnect_backoff_ms': LONGEST_WAIT_MS,
});
const metadata = new grpc.Metadata();
if (TOKEN) metadata.set('authorization', `Bearer ${TOKEN}`);

// Refusals that another attempt would only repeat.
const FINAL = ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'ABORTED'];

let resumeToken = ''; // from the last Welcome
let failures = 0; // in a row
const matches = new Map(); // by id, with nonce and last answer: what is told twice is answered alike

function giveUp(sentence) {
  console.error(sentence);
  process.exit(2);
}

function connect() {
  const began = Date.now();
  const stream = client.Play(metadata);
  let returnAfterMs = 0;

  // What each item gets as an answer; the unknown ones of a newer server get none.
  const answers = {
    welcome({ session, resume_token, notices, formats }) {
      resumeToken = resume_token;
      const played = formats.filter(({ plays }) => plays).map(({ name }) => name).join(', ');
      console.log(`${NAME} is connected to ${SERVER}, session ${session}, and plays ${played}`);
      for (const notice of notices) console.error(notice);
    },
    match_started({ match_id }) {
      const match = matches.get(match_id) ?? { nonce: { match_id, nonce: crypto.randomBytes(16) } };
      matches.set(match_id, match);
      return { nonce: match.nonce };
    },
    ask(ask) {
      const match = matches.get(ask.match_id) ?? {};
      const asked = JSON.stringify([ask.ask_id, ask.view]); // with another view it is another ask
      if (match.asked !== asked) Object.assign(match, { asked, choice: answer(ask) });
      return { choice: match.choice };
    },
    refused: ({ ask_id, reason, sentence }) => console.error(`ask ${ask_id}: ${reason}: ${sentence}`),
    match_ended({ match_id, seats }) {
      matches.delete(match_id);
      console.log(`match ${match_id} ended with ${seats.map((seat) => seat.total).join(', ')}`);
    },
    ping: ({ id }) => ({ pong: { id } }),
    goodbye({ sentence, return_after_ms }) {
      if (return_after_ms === 0) giveUp(sentence);
      returnAfterMs = return_after_ms;
    },
  };
  stream.on('data', (frame) => {
    const items = frame.items.map((said) => answers[said.item]?.(said[said.item])).filter(Boolean);
    if (items.length > 0) stream.write({ items });
  });
  stream.on('error', () => {}); // its status says it all
  stream.on('status', ({ code, details }) => {
    if (FINAL.includes(grpc.status[code])) giveUp(details);
    if (Date.now() - began > LONGEST_WAIT_MS) failures = 0;
    const waitMs = returnAfterMs + Math.random() * Math.min(LONGEST_WAIT_MS, 100 * 2 ** failures++);
    console.error(`${details || 'the stream ended'}; next attempt in ${Math.round(waitMs)} ms`);
    setTimeout(connect, waitMs);
  });
  // Without `formats` it plays all there are: to answer with a number, it need not know the game.
  const hello = {
    bot: NAME, version: '1', client: 'plain node', protocol: 1,
    max_matches: 8, resume_token: resumeToken, sends_nonces: true, language: 'JavaScript',
  };
  stream.write({ items: [{ hello }] });
}

process.on('SIGTERM', () => process.exit(0)); // the stream ends with it; open matches wait
connect();
