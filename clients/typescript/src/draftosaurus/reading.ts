import { given, named, namedOrNull, Unreadable } from "../reading.js";
import type * as arena from "../wire/paddock/v1/arena.js";
import * as wire from "../wire/paddock/v1/draftosaurus.js";
import type { Board, Face, Pen, Phase, Rules, Species } from "./material.js";
import { Choice, View } from "./view.js";
import { type Inside, Zoo } from "./zoo.js";

/** The rule options in a message. */
export function readRules(sent: wire.DraftosaurusRules): Rules {
  return {
    quarantineMayStay: sent.quarantineMayStay,
    fivePlayerDieHold: sent.fivePlayerDieHold,
    prairieCapacity: sent.prairieCapacity ?? null,
    placeAfterReveal: sent.placeAfterReveal,
  };
}

/** The choice in a message. */
export function readChoice(sent: wire.DraftosaurusChoice, number: number): Choice {
  return new Choice(
    number,
    named(wire.DraftosaurusPhase, sent.kind, "kind of choice"),
    species(sent.species),
    namedOrNull<Pen>(wire.Pen, sent.pen, "pen"),
    sent.slot,
  );
}

/** What the seat of an ask knows; throws Unreadable for values that are unknown here. */
export function readView(
  ask: arena.Ask,
  sent: wire.DraftosaurusView,
  rules: Rules,
  format: string,
): View {
  const table = given(sent.table, "table");
  const zoos = table.zoos.map(readZoo);
  if (ask.seat >= zoos.length) throw new Unreadable(`there is no zoo of seat ${ask.seat}`);
  return new View({
    seat: ask.seat,
    hand: sent.hand.map(species),
    legal: ask.choices.map((choice, number) => {
      if (choice.game?.$case !== "draftosaurus") throw new Unreadable("a choice of another game");
      return readChoice(choice.game.value, number);
    }),
    zoos,
    phase: named<Phase>(wire.DraftosaurusPhase, table.phase, "phase"),
    board: named<Board>(wire.Board, table.board, "board"),
    die: namedOrNull<Face>(wire.Face, table.die, "face"),
    roller: table.roller,
    gameNumber: table.game,
    round: table.round,
    turn: table.turn,
    turnsDone: table.turnsDone,
    picks: table.picks.map(species),
    removed: table.removed.map(species),
    finished: table.finished.map((game) => game.zoos.map(readZoo)),
    rules,
    format,
  });
}

function species(sent: wire.Species): Species {
  return named(wire.Species, sent, "species");
}

function readZoo(sent: wire.Zoo): Zoo {
  const pens: Partial<Record<Pen, Inside>> = {};
  for (const contents of sent.pens) {
    const pen = named<Pen>(wire.Pen, contents.pen, "pen");
    pens[pen] = contents.dinosaurs.map((one) =>
      pen === "PYRAMID" ? namedOrNull<Species>(wire.Species, one, "species") : species(one),
    );
  }
  return new Zoo(pens);
}
