export { careful, greedy } from "./bots.js";
export {
  bonusOf,
  type Card,
  cardName,
  type Event,
  type EventKind,
  HOMES,
  type Island,
  type Kind,
  type Phase,
  type Rules,
  type Species,
  TERRITORIES,
  type Territory,
} from "./material.js";
export { Choice, type Known, type Score, View, type Way } from "./view.js";
