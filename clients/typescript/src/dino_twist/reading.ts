import { given, named, namedOrNull, Unreadable } from "../reading.js";
import type * as arena from "../wire/paddock/v1/arena.js";
import * as wire from "../wire/paddock/v1/dino_twist.js";
import {
  type Card,
  type Event,
  type EventKind,
  type Island,
  type Kind,
  type Phase,
  RULES_VERSION,
  type Rules,
  type Species,
  type Territory,
} from "./material.js";
import { Choice, View } from "./view.js";

/** The rule options in a message; throws Unreadable for a version that is unknown here. */
export function readRules(sent: wire.DinoTwistRules): Rules {
  const version = Math.max(1, sent.version);
  if (version > RULES_VERSION) {
    throw new Unreadable(`version ${version} of the rules of Dino Twist is unknown here`);
  }
  return {
    ...sent,
    version,
    clawCopies: sent.clawCopies ?? 1,
    islandBonusTies: sent.islandBonusTies ?? "share",
  };
}

/** The choice in a message. */
export function readChoice(sent: wire.DinoTwistChoice, number: number): Choice {
  return new Choice(
    number,
    named<Kind>(wire.DinoTwistKind, sent.kind, "kind of choice"),
    sent.cards.map(readCard),
    species(sent.species),
    territory(sent.territory),
    territory(sent.settle),
    sent.faceDown,
  );
}

/** What the seat of an ask knows; throws Unreadable for values that are unknown here. */
export function readView(
  ask: arena.Ask,
  sent: wire.DinoTwistView,
  rules: Rules,
  format: string,
): View {
  const table = given(sent.table, "table");
  const islands = table.islands.map(readIsland);
  if (ask.seat >= islands.length) throw new Unreadable(`there is no island of seat ${ask.seat}`);
  const plays = new Array<Choice | undefined>(table.plays.length ? islands.length : 0);
  for (const revealed of table.plays) {
    plays[revealed.seat] = readChoice(given(revealed.choice, "choice"), -1);
  }
  return new View({
    seat: ask.seat,
    hand: sent.hand.map(readCard),
    legal: ask.choices.map((choice, number) => {
      if (choice.game?.$case !== "dinoTwist") throw new Unreadable("a choice of another game");
      return readChoice(choice.game.value, number);
    }),
    phase: named<Phase>(wire.DinoTwistPhase, table.phase, "phase"),
    round: table.round,
    event: readEvent(given(table.event, "event")),
    events: table.shown.map(readEvent),
    asked: table.asked,
    twist: readIsland(given(table.twist, "Twist Island")),
    islands,
    graveyards: table.graveyards.map((one) =>
      one.entries.map((entry) => entry.cards.map(readCard)),
    ),
    islandBonuses: table.islandBonuses,
    discards: table.discards.map(readCard),
    discarded: sent.discarded.map(readCard),
    faceDown: table.faceDown,
    handSizes: table.handSizes,
    pileSize: table.pileSize,
    plays,
    waiting: table.waiting.map((group) => group.seats),
    rules,
    format,
  });
}

function species(sent: wire.DinoTwistSpecies): Species | null {
  return namedOrNull(wire.DinoTwistSpecies, sent, "species");
}

function territory(sent: wire.DinoTwistTerritory): Territory | null {
  return namedOrNull(wire.DinoTwistTerritory, sent, "territory");
}

function readCard(sent: wire.DinoTwistCard): Card {
  const kind = named<Species>(wire.DinoTwistSpecies, sent.species, "species");
  return { species: kind, strength: sent.strength, claw: sent.claw };
}

function readEvent(sent: wire.DinoTwistEvent): Event {
  return {
    kind: namedOrNull<EventKind>(wire.DinoTwistEventKind, sent.kind, "event"),
    territory: territory(sent.territory),
    species: species(sent.species),
  };
}

function readIsland(sent: wire.DinoTwistIsland): Island {
  const island: Partial<Record<Territory, Card>> = {};
  for (const { territory: where, card } of sent.residents) {
    const home = named<Territory>(wire.DinoTwistTerritory, where, "territory");
    island[home] = readCard(given(card, "card"));
  }
  return island;
}
