import type { TextDetail } from './difference.js';
import { lineChanges, wholeText } from './line-changes.js';

/** Compares two texts of a tree. Certificates and keys are compared by their facts, the rest as one value or by lines. */
export function textChanges(
  what: string,
  before: string | undefined,
  after: string | undefined,
): readonly TextDetail[] {
  if (before === after) return [];
  if (before === undefined || after === undefined) return oneSided(what, before, after);
  const facts = factChanges(before, after);
  const isNamed = (each: TextDetail): boolean => what === 'contents' || each.certificate !== undefined;
  const details = facts.details.map((each) =>
    isNamed(each) ? each : { ...each, what: `${what}: ${each.what}` },
  );
  if (facts.before === facts.after) return details;
  return [...details, ...changed(what, facts.before, facts.after)];
}

function changed(what: string, before: string, after: string): readonly TextDetail[] {
  if (isOneLine(before) && isOneLine(after) && before.trimEnd() !== after.trimEnd())
    return [{ what, before: before.trimEnd(), after: after.trimEnd() }];
  return [{ what, hunks: lineChanges(before, after) }];
}

function oneSided(
  what: string,
  before: string | undefined,
  after: string | undefined,
): readonly TextDetail[] {
  const text = before ?? after ?? '';
  if (!isOneLine(text)) return [{ what, hunks: wholeText(text, before === undefined ? '+' : '-') }];
  return [
    {
      what,
      ...(before !== undefined && { before: before.trimEnd() }),
      ...(after !== undefined && { after: after.trimEnd() }),
    },
  ];
}

function isOneLine(text: string): boolean {
  return !text.trimEnd().includes('\n');
}

/** Two texts in which shared certificates and keys are reduced to their names, and the facts in which these differ. */
interface FactChanges {
  readonly before: string;
  readonly after: string;
  readonly details: readonly TextDetail[];
}

/**
 * Matches the certificates and keys of two texts: certificates by subject, keys by position. `key-facts.ts` formats each as one
 * line of facts.
 */
function factChanges(before: string, after: string): FactChanges {
  const [earlier, later] = [before, after].map(factsByName);
  const details = new Map<string, readonly TextDetail[]>();
  for (const [name, facts] of earlier ?? []) {
    const others = later?.get(name);
    if (others !== undefined) details.set(name, changesBetween(name, facts, others));
  }
  const named = (text: string): string => withNames(text, (name) => details.has(name));
  return { before: named(before), after: named(after), details: [...details.values()].flat() };
}

const factsPattern = /<((?:certificate|private key|public key) [^<>\n]*)>/g;

function factsByName(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  walkFacts(text, (name, facts) => found.set(name, facts));
  return found;
}

function withNames(text: string, isShared: (name: string) => boolean): string {
  return walkFacts(text, (name) => (isShared(name) ? `<${name}>` : undefined));
}

/** Visits the facts in a text. Numbers repeated names, because a bundle may contain two certificates with one subject. */
function walkFacts(text: string, visit: (name: string, facts: readonly string[]) => unknown): string {
  const seen = new Map<string, number>();
  return text.replaceAll(factsPattern, (whole, said: string) => {
    const [first = '', ...rest] = said.split('; ');
    const isKey = !first.startsWith(certificateMark);
    const name = isKey ? first.split(' ', 2).join(' ') : first;
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    const facts = isKey ? [`key ${first.slice(name.length + 1)}`] : rest;
    const replaced = visit(number === 1 ? name : `${name} (${number})`, facts);
    return typeof replaced === 'string' ? replaced : whole;
  });
}

function changesBetween(
  name: string,
  before: readonly string[],
  after: readonly string[],
): readonly TextDetail[] {
  const [earlier, later] = [before, after].map((facts) => new Map(facts.map(namedFact)));
  const names = [...new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])];
  return names
    .filter((each) => earlier?.get(each) !== later?.get(each))
    .map((each) => ({
      ...(name.startsWith(certificateMark)
        ? { what: each, certificate: name.slice(certificateMark.length) }
        : { what: name }),
      before: earlier?.get(each) ?? 'none',
      after: later?.get(each) ?? 'none',
    }));
}

const certificateMark = 'certificate ';

/** Splits a fact into a label for reviewers and a value. */
function namedFact(fact: string): readonly [string, string] {
  if (fact === 'self-signed') return ['issuer', 'itself'];
  if (fact === 'CA') return ['authority', 'yes'];
  if (/^\S+Z to \S+Z$/.test(fact)) return ['validity', fact];
  const [, word = '', rest = ''] = /^(issuer|key|usage|for|names) (.*)$/.exec(fact) ?? [];
  return word === '' ? ['other facts', fact] : [word === 'for' ? 'purpose' : word, rest];
}
