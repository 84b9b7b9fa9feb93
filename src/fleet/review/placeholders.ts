/** Replaces values by `${name}` placeholders, and placeholders by values. */
export interface Placeholders {
  readonly named: (text: string) => string;
  /** Inverse of `named`: `filled(named(text))` is `text` for every text. */
  readonly filled: (template: string) => string;
}

/** Additional spellings of a value; some programs print MAC addresses in upper case. */
const spellings: Readonly<Record<string, (value: string) => string>> = {
  upper: (value) => value.toUpperCase(),
  lower: (value) => value.toLowerCase(),
};

/**
 * Creates the placeholders for a site's values, limited to those that `isWanted` selects. A value is replaced where no letter or digit
 * precedes or follows it; a value that starts with a digit may follow a letter, as in `vlan101`. Longer values are matched first. `${mac:upper}` is the value in upper case. A `${name}` that the text already
 * contains is escaped as `$${name}`.
 */
export function placeholdersFor(
  values: ReadonlyMap<string, string>,
  isWanted: (name: string, value: string) => boolean = () => true,
): Placeholders {
  const byName = new Map([...values].flatMap(([name, value]) => spelledOf(name, value)));
  if (byName.size === 0) return { named: (text) => text, filled: (template) => template };
  const wanted = [...values].filter(([name, value]) => isWanted(name, value));
  const nameOf = namesByValue(new Map(wanted.flatMap(([name, value]) => spelledOf(name, value))));
  const alternatives = [...nameOf.keys()].toSorted((left, right) => right.length - left.length);
  const placeholder = `(\\$+)\\{(${[...byName.keys()].map(literal).join('|')})\\}`;
  const written = new RegExp(placeholder, 'g');
  const found = new RegExp([placeholder, ...wholeValues(alternatives)].join('|'), 'g');
  return {
    named: (text) =>
      text.replace(found, (match: string, dollars: string | undefined) =>
        dollars === undefined ? `\${${nameOf.get(match) ?? ''}}` : `$${match}`,
      ),
    filled: (template) =>
      template.replace(written, (match: string, dollars: string, name: string) =>
        dollars.length === 1 ? (byName.get(name) ?? '') : match.slice(1),
      ),
  };
}

/** Patterns of values that are not part of a longer word or number. */
function wholeValues(values: readonly string[]): readonly string[] {
  const [digits, others] = [true, false].map((isDigit) =>
    values.filter((value) => /^\d/.test(value) === isDigit).map(literal),
  );
  const pattern = (some: readonly string[] | undefined, before: string): readonly string[] =>
    some === undefined || some.length === 0 ? [] : [`(?<![${before}])(?:${some.join('|')})(?![A-Za-z0-9])`];
  return [...pattern(digits, '0-9$'), ...pattern(others, 'A-Za-z0-9$')];
}

function spelledOf(name: string, value: string): readonly (readonly [string, string])[] {
  const others = Object.entries(spellings).map(
    ([spelling, spelled]) => [`${name}:${spelling}`, spelled(value)] as const,
  );
  return [[name, value], ...others];
}

/** If several names have the same value, the first one is used. */
function namesByValue(byName: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of byName) if (!found.has(value)) found.set(value, name);
  return found;
}

/** Returns the names that a template uses, in any spelling. */
export function namesUsed(template: string, names: readonly string[]): ReadonlySet<string> {
  if (names.length === 0 || !template.includes('${')) return new Set();
  const spelled = `(?::(?:${Object.keys(spellings).join('|')}))?`;
  const placeholder = new RegExp(`\\$\\{(${names.map(literal).join('|')})${spelled}\\}`, 'g');
  return new Set([...template.matchAll(placeholder)].map(([, name = '']) => name));
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
