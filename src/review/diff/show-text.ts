import type { Detail, Difference } from './difference.js';

/** Limits: lines of a text that exists on one side only, and listed places. */
const mostLines = 12;
const mostNamed = 3;

/** Printed instead of two masked values. */
const hiddenNote = 'differs in hidden content (a secret or a certificate signature)';

/** Formats differences for a terminal; empty if there are none. */
export function differencesText(differences: readonly Difference[]): string {
  return differences.map((each) => `${[titleOf(each), ...linesOf(each)].join('\n')}\n`).join('');
}

/** Formats a title: `~ object Network cluster in node.ign`. */
export function titleOf(difference: Difference): string {
  const { change, kind, name, from } = difference;
  const shown = from === undefined ? name : `${from} → ${name}`;
  return `${signs[change]} ${kind === 'sno-install' ? '' : `${kind} `}${shown}${placeOf(difference)}`;
}

const signs = { added: '+', removed: '-', changed: '~', renamed: '~' } as const;

function placeOf({ in: places }: Difference): string {
  const named = places.filter((place) => place !== '');
  return named.length === 0 ? '' : ` in ${some(named)}`;
}

function some(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Formats the details of a difference, indented. */
export function linesOf({ change, details, at = [] }: Difference): readonly string[] {
  const lines = details.flatMap((detail) => [
    ...detailLines(detail, change === 'added' || change === 'removed'),
    ...(detail.also === undefined ? [] : [`the same in ${some(detail.also)}`]),
  ]);
  const all = at.length === 0 ? lines : [...lines, `at: ${some(at)}`];
  return all.map((line) => (line === '' ? '' : `    ${line}`));
}

function detailLines(detail: Detail, isOneSided: boolean): readonly string[] {
  const { what, before, after, hunks = [], hidden, sameAs } = detail;
  if (hidden) return [`${what}: ${hiddenNote}`];
  if (sameAs !== undefined) return [`${what}: the same as in ${sameAs}`];
  if (hunks.length > 0) {
    const lines = hunks.flatMap(({ beforeLine, afterLine, lines: shown }) => [
      ...(isOneSided ? [] : [`@@ line ${beforeLine} → ${afterLine} @@`]),
      ...shown,
    ]);
    const kept = isOneSided ? lines.slice(0, mostLines) : lines;
    const left = lines.length - kept.length;
    return [`${what}:`, ...kept, ...(left > 0 ? [`… and ${left} more line${left === 1 ? '' : 's'}`] : [])];
  }
  if (before === undefined || after === undefined) return [`${what}: ${before ?? after ?? 'empty'}`];
  return [`${what}: ${valueOf(before)} → ${valueOf(after)}`];
}

function valueOf(text: string): string {
  return text === '' ? 'nothing' : text;
}
