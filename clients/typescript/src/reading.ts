/** Thrown for values of a message that are unknown here, such as those of a newer server. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

/** A table of the wire: the names of an enum by number. */
type Names = Readonly<Record<number, string>>;

/** The name of an enum's value; throws Unreadable where there is none. */
export function named<Name extends string>(names: Names, value: number, what: string): Name {
  const name = value === 0 ? undefined : names[value];
  if (name === undefined) throw new Unreadable(`${what} ${value} is unknown here`);
  return name as Name;
}

/** The name of an enum's value; null where none is specified. */
export function namedOrNull<Name extends string>(names: Names, value: number, what: string) {
  return value === 0 ? null : named<Name>(names, value, what);
}

/** A part of a message that has to be there. */
export function given<T>(part: T | undefined, what: string): T {
  if (part === undefined) throw new Unreadable(`there is no ${what}`);
  return part;
}
