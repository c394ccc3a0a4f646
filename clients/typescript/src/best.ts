/** The one that is worth most, the first of equals. */
export function best<T extends object>(choices: readonly T[], worth: (choice: T) => number): T {
  let chosen: T | undefined;
  let most = 0;
  for (const choice of choices) {
    const points = worth(choice);
    if (chosen === undefined || points > most) [chosen, most] = [choice, points];
  }
  if (chosen === undefined) throw new RangeError("there is nothing to choose from");
  return chosen;
}
