import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Dice,
  dinoTwist,
  draftosaurus,
  FORMATS,
  matchSeed,
  readAsk,
  readMatch,
  v1,
} from "../src/index.js";
import { recorded } from "./stage.js";

const RULES: draftosaurus.Rules = {
  quarantineMayStay: false,
  fivePlayerDieHold: false,
  prairieCapacity: null,
  placeAfterReveal: false,
};

test("a match tells the share of a core of every seat", () => {
  const started = recorded()[0]?.matches[0]?.started ?? "";
  const sent = v1.MatchStarted.decode(Buffer.from(started, "base64"));
  sent.seats = [0.5, 0].map((cpuShare) => v1.Seat.create({ cpuShare }));
  const shares = readMatch(sent).seats.map(({ cpuShare }) => cpuShare);
  assert.deepEqual(shares, [0.5, 0]);
});

test("the sample bots choose as recorded", () => {
  const files = recorded();
  assert.equal(files.length, FORMATS.length);
  for (const { secret, matches } of files) {
    for (const { started, asks } of matches) {
      const match = readMatch(v1.MatchStarted.decode(Buffer.from(started, "base64")));
      const seed = matchSeed(Buffer.from(secret), match.dice, match.seat);
      for (const [decision, { ask: told, random, greedy, careful }] of asks.entries()) {
        const sent = v1.Ask.decode(Buffer.from(told, "base64"));
        const ask = readAsk(sent, match, new Dice(seed, decision));
        const chosen =
          ask.game === "draftosaurus"
            ? [draftosaurus.greedy(ask.view), draftosaurus.careful(ask.view)]
            : [dinoTwist.greedy(ask.view), dinoTwist.careful(ask.view)];
        const numbers = [ask.below(ask.legal.length), ...chosen.map(({ number }) => number)];
        assert.deepEqual(numbers, [random, greedy, careful], `${match.format} ${decision}`);
      }
    }
  }
});

function view(known: Partial<draftosaurus.Known>): draftosaurus.View {
  return new draftosaurus.View({ rules: RULES, ...known } as draftosaurus.Known);
}

test("scores of a summer zoo", () => {
  const zoo = new draftosaurus.Zoo({
    FOREST_OF_SAMENESS: ["STEGOSAURUS", "STEGOSAURUS", "STEGOSAURUS"],
    WOODY_TRIO: ["T_REX", "DIPLODOCUS", "DIPLODOCUS"],
    KING_OF_THE_JUNGLE: ["STEGOSAURUS"],
    PRAIRIE_OF_LOVE: ["DIPLODOCUS", "DIPLODOCUS", "SPINOSAURUS"],
    MEADOW_OF_DIFFERENCES: ["T_REX", "TRICERATOPS"],
    SOLITARY_ISLAND: ["PARASAUROLOPHUS"],
    RIVER: ["T_REX"],
  });
  const zoos = [zoo, new draftosaurus.Zoo({})];
  assert.deepEqual(view({ board: "SUMMER", zoos }).scores[0], {
    total: 40,
    parts: {
      FOREST_OF_SAMENESS: 8,
      WOODY_TRIO: 7,
      KING_OF_THE_JUNGLE: 7,
      PRAIRIE_OF_LOVE: 5,
      MEADOW_OF_DIFFERENCES: 3,
      SOLITARY_ISLAND: 7,
      RIVER: 1,
      T_REX_BONUS: 2,
    },
    tRexes: 3,
  });
});

test("scores of a winter zoo", () => {
  const zoo = new draftosaurus.Zoo({
    WELL_ORDERED_WOOD: ["T_REX", "DIPLODOCUS", "T_REX"],
    LOOKOUT: ["DIPLODOCUS"],
    LOVERS_BRIDGE_LEFT: ["TRICERATOPS", "TRICERATOPS"],
    LOVERS_BRIDGE_RIGHT: ["TRICERATOPS"],
    PYRAMID: ["STEGOSAURUS", "T_REX", null, null, null, null],
    QUARANTINE: ["T_REX"],
  });
  const zoos = [zoo, new draftosaurus.Zoo({ RIVER: ["DIPLODOCUS", "DIPLODOCUS"] })];
  assert.deepEqual(view({ board: "WINTER", zoos }).scores[0], {
    total: 24,
    parts: {
      WELL_ORDERED_WOOD: 8,
      LOOKOUT: 4,
      LOVERS_BRIDGE: 6,
      PYRAMID: 4,
      RIVER: 0,
      T_REX_BONUS: 2,
    },
    tRexes: 4,
  });
  const stays = view({ board: "WINTER", zoos, rules: { ...RULES, quarantineMayStay: true } });
  assert.equal(stays.scores[0]?.total, 25);
});

test("the legal choices by pen, and the default", () => {
  const legal = [
    new draftosaurus.Choice(0, "PLACE", "T_REX", "WOODY_TRIO", 0),
    new draftosaurus.Choice(1, "PLACE", "DIPLODOCUS", "WOODY_TRIO", 0),
    new draftosaurus.Choice(2, "PLACE", "T_REX", "RIVER", 0),
  ];
  const asked = view({ legal });
  assert.deepEqual(asked.legalByPen.get("WOODY_TRIO"), legal.slice(0, 2));
  assert.equal(asked.default, legal[2]);
  assert.equal(String(legal[1]), "PLACE DIPLODOCUS in WOODY_TRIO");
});

const card = (species: dinoTwist.Species, strength: number, claw = false) => {
  return { species, strength, claw };
};

/** The position of the page of the rules, of which it says 54 and 16 points. */
function twistView(known: Partial<dinoTwist.Known> = {}): dinoTwist.View {
  return new dinoTwist.View({
    islands: [
      {
        MOUNTAINS: card("VOLI", 10),
        CLIFF: card("VOLI", 7),
        JUNGLE: card("KARNI", 5, true),
        DESERT: card("KARNI", 4),
        RIVERSIDE: card("HERBI", 3),
        HILL: card("HERBI", 2),
        BEACH: card("AQUA", 1),
        SEA: card("AQUA", 1),
      },
      { SEA: card("AQUA", 9, true) },
    ],
    graveyards: [[[card("KARNI", 2)], [card("AQUA", 2), card("AQUA", 3)]], []],
    islandBonuses: [10, 0],
    twist: { BEACH: card("AQUA", 4), SEA: card("AQUA", 6) },
    event: { kind: null, territory: null, species: null },
    seat: 0,
    format: "dino-twist",
    rules: { version: 2, smallSeats: "" },
    ...known,
  } as dinoTwist.Known);
}

test("scores of Dino Twist", () => {
  assert.deepEqual(
    twistView().scores.map(({ total }) => total),
    [54, 16],
  );
  const rules = { ...twistView().rules, graveyardPerCard: true };
  assert.equal(twistView({ rules }).scores[0]?.total, 56);
});

test("a beaten Dino is discarded only where no territory is empty", () => {
  const play = new dinoTwist.Choice(0, "PLAY", [card("AQUA", 5)], "AQUA", null, null, 0);
  const event = (kind: dinoTwist.EventKind | null) => ({ kind, territory: null, species: null });
  const version1 = { ...twistView().rules, version: 1 };
  const ways: [Partial<dinoTwist.Known>, string][] = [
    [{}, "BEACH-BEACH BEACH-null"],
    [{ seat: 1 }, "BEACH-BEACH"],
    [{ seat: 1, rules: version1 }, "BEACH-BEACH BEACH-null"],
    [{ event: event("EARTHQUAKE") }, "BEACH-BEACH BEACH-SEA BEACH-null"],
    [{ event: event("CARNAGE") }, "BEACH-BEACH BEACH-null SEA-SEA SEA-null"],
    [{ event: { ...event("METEOR"), territory: "BEACH" } }, ""],
  ];
  for (const [known, want] of ways) {
    const got = twistView(known).ways(play);
    assert.equal(got.map((way) => `${way.territory}-${way.settle}`).join(" "), want);
  }
  assert.equal(twistView({ format: "dino-twist-small" }).ways(play).length, 9);
});
