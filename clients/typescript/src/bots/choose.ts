// Answers recorded asks as the sample bots do, so that all languages can be compared. It reads lines:
// "match SECRET BASE64" with a MatchStarted begins a match, and "ask BASE64" is an Ask of it, for
// which it prints the numbers that random, greedy and careful choose.

import { createInterface } from "node:readline";
import {
  Dice,
  dinoTwist,
  draftosaurus,
  type Match,
  matchSeed,
  readAsk,
  readMatch,
  v1,
} from "../index.js";

let match: Match | undefined;
let seed: Uint8Array = new Uint8Array();
let decision = 0;

function numbers(sent: v1.Ask, of: Match): number[] {
  const ask = readAsk(sent, of, new Dice(seed, decision++));
  const random = ask.below(ask.legal.length);
  const { greedy, careful } =
    ask.game === "draftosaurus"
      ? { greedy: draftosaurus.greedy(ask.view), careful: draftosaurus.careful(ask.view) }
      : { greedy: dinoTwist.greedy(ask.view), careful: dinoTwist.careful(ask.view) };
  return [random, greedy.number, careful.number];
}

for await (const line of createInterface({ input: process.stdin })) {
  const [word, first = "", second = ""] = line.trim().split(/\s+/);
  if (word === "match") {
    match = readMatch(v1.MatchStarted.decode(Buffer.from(second, "base64")));
    seed = matchSeed(Buffer.from(first, "utf8"), match.dice, match.seat);
    decision = 0;
  } else if (word === "ask" && match) {
    console.log(numbers(v1.Ask.decode(Buffer.from(first, "base64")), match).join(" "));
  } else {
    console.error('write "match SECRET BASE64", then "ask BASE64"');
    process.exit(1);
  }
}
