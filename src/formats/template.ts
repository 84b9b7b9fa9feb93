/** A constant text with placeholders `@@name@@`. */
export interface Template<Hole extends string> {
  fill(values: Readonly<Record<Hole, string>>): string;
}

/**
 * Reads a template whose placeholders are declared by name, so that the compiler requires each value. Values are inserted
 * without escaping. Throws (internal error) if the placeholders in the text differ from the declared ones.
 */
export function template<const Hole extends string>(text: string, holes: readonly Hole[]): Template<Hole> {
  const found = new Set(Array.from(text.matchAll(placeholderPattern), ([, name]) => name));
  const undeclared = [...found].filter((name) => !holes.some((declared) => declared === name));
  const unused = holes.filter((name) => !found.has(name));
  if (undeclared.length > 0 || unused.length > 0)
    throw new Error(
      `internal error: a template's holes differ from its declaration: ${[...undeclared, ...unused].join(', ')}`,
    );
  const values = (given: Readonly<Record<string, string>>) => (match: string, name: string) =>
    given[name] ?? match;
  return { fill: (given) => text.replace(placeholderPattern, values(given)) };
}

const placeholderPattern = /@@([A-Za-z][A-Za-z0-9]*)@@/g;
