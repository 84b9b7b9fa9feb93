/** A constant text with holes `@@name@@`, and how to fill them. */
export interface Template<Hole extends string> {
  fill(values: Readonly<Record<Hole, string>>): string;
}

/**
 * Reads a template whose holes are declared by name, so that the compiler asks for each value. Values are put in as they
 * are, without any escaping. Throws (internal error) when the text's holes are not the declared ones.
 */
export function template<const Hole extends string>(text: string, holes: readonly Hole[]): Template<Hole> {
  const found = new Set(Array.from(text.matchAll(hole), ([, name]) => name));
  const undeclared = [...found].filter((name) => !holes.some((declared) => declared === name));
  const unused = holes.filter((name) => !found.has(name));
  if (undeclared.length > 0 || unused.length > 0)
    throw new Error(
      `internal error: a template's holes differ from its declaration: ${[...undeclared, ...unused].join(', ')}`,
    );
  const values = (given: Readonly<Record<string, string>>) => (match: string, name: string) =>
    given[name] ?? match;
  return { fill: (given) => text.replace(hole, values(given)) };
}

const hole = /@@([A-Za-z][A-Za-z0-9]*)@@/g;
