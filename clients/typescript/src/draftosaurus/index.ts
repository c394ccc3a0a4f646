export { careful } from "./careful.js";
export { greedy } from "./greedy.js";
export {
  type Board,
  type Face,
  PENS,
  type Pen,
  type Phase,
  type Rules,
  SPECIES,
  type Species,
} from "./material.js";
export type { Score } from "./scoring.js";
export { Choice, type Known, View } from "./view.js";
export { type Counts, type Inside, type Placement, Zoo } from "./zoo.js";
