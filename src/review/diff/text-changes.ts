import type { TextDetail } from './difference.js';
import { factChanges } from './fact-changes.js';
import { lineChanges, wholeText } from './line-changes.js';

/** What differs between two texts of a tree: certificates and keys by their facts, the rest as one value or by lines. */
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
