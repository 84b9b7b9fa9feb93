import { byCodeUnit } from '../../core/compare.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { renderText } from '../render-text.js';
import type { Detail, Difference, TextDetail } from './difference.js';
import {
  type FieldChange,
  deepestAt,
  fieldChanges,
  fieldDetails,
  renamesOf,
  shownPath,
  splitTexts,
  textDetails,
} from './field-changes.js';
import type { Item } from './item.js';
import { listItems, objectItem } from './items.js';
import { lineChanges } from './line-changes.js';
import { alignConfigs } from './renamed-configs.js';
import { findRenames } from './renames.js';
import { withoutRepetitions } from './repeated-details.js';
import type { ReviewSide } from './review-side.js';
import { textChanges } from './text-changes.js';

/**
 * Compares two sides by named items: Kubernetes objects field by field, certificates fact by fact, other texts line by line. The
 * result contains no secret: if secrets differ, it reports only that they do. Equal differences in several configs are reported
 * once. Sorted by name; empty if the sides are equal.
 */
export function diffSides(before: ReviewSide, after: ReviewSide): readonly Difference[] {
  const aligned = alignConfigs(listItems(before), listItems(after));
  const [earlier, later] = compared(aligned.before, aligned.after).map(byKey);
  if (earlier === undefined || later === undefined) return [];
  const [removed, added] = [missingIn(later, earlier), missingIn(earlier, later)];
  const renames = findRenames(removed, added);
  const renamed = new Set(renames.values());
  const keys = [...new Set([...earlier.keys(), ...later.keys()])];
  const compare = comparison(before, after);
  const found = keys.flatMap((key) => {
    const [one, other] = [earlier.get(key), later.get(key)];
    if (one === undefined && other !== undefined && renamed.has(other)) return [];
    return compare(one, other ?? (one && renames.get(one)));
  });
  return [...aligned.renames, ...withoutRepetitions(mergeEqual(found))];
}

function missingIn(side: ReadonlyMap<string, Item>, other: ReadonlyMap<string, Item>): readonly Item[] {
  return [...other].flatMap(([key, item]) => (side.has(key) ? [] : [item]));
}

/** Compares two versions of a Kubernetes object in the same way. `before` is undefined for a new object. */
export function diffObjects(before: unknown, after: unknown): readonly Difference[] {
  const none: ReviewSide = { texts: [], templates: {}, known: {} };
  const compare = comparison(none, none);
  return compare(before === undefined ? undefined : objectItem(before), objectItem(after));
}

/** Ignores output files other than configs unless both sides have them: `render ignition` shows configs only. */
function compared(before: readonly Item[], after: readonly Item[]): readonly (readonly Item[])[] {
  const sides = [before, after];
  const hasAlone = (items: readonly Item[]): boolean =>
    items.some(({ kind }) => kind === 'config') && items.every(({ kind }) => kind !== 'output');
  return sides.some(hasAlone) ? sides.map((items) => items.filter(({ kind }) => kind !== 'output')) : sides;
}

function byKey(items: readonly Item[]): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>();
  for (const item of items) {
    const key = [item.of, item.kind, item.name].join('\n');
    let number = 1;
    while (found.has(`${key}\n${number}`)) number += 1;
    found.set(`${key}\n${number}`, item);
  }
  return found;
}

type Compare = (before: Item | undefined, after: Item | undefined) => readonly Difference[];

function comparison(earlier: ReviewSide, later: ReviewSide): Compare {
  return (before, after) => {
    const item = after ?? before;
    if (item === undefined) return [];
    const { of, kind, name } = item;
    const common = { in: [of], kind, name };
    if (before !== undefined && after !== undefined) {
      const sides = filled(before, after, { earlier, later });
      const details = [...factDetails(before, after), ...contentDetails(...sides)];
      if (before.name !== name)
        return [{ ...common, change: 'renamed', from: before.name, details: details.map(withSubject) }];
      return details.length === 0 ? [] : withCertificates({ ...common, change: 'changed', details });
    }
    // Files with Kubernetes objects are reported object by object. Templates count only if both sides know them.
    if (item.isHeldByObjects || (kind === 'template' && isUnknown(earlier, later))) return [];
    const details = [...factDetails(before, after), ...oneSided(before, after)];
    return [{ ...common, change: before === undefined ? 'added' : 'removed', details }];
  };
}

function isUnknown(...sides: readonly ReviewSide[]): boolean {
  return sides.some(({ templates }) => Object.keys(templates).length === 0);
}

function factDetails(before: Item | undefined, after: Item | undefined): readonly Detail[] {
  const names = [...new Set([before, after].flatMap((item) => Object.keys(item?.facts ?? {})))];
  return names.flatMap((name) => {
    const [earlier, later] = [before?.facts[name], after?.facts[name]];
    if (earlier === later) return [];
    // If an existing item has a fact on one side only, the other side is reported as `none`.
    const none = before !== undefined && after !== undefined ? { before: 'none', after: 'none' } : {};
    return [
      {
        what: name,
        ...none,
        ...(earlier !== undefined && { before: earlier }),
        ...(later !== undefined && { after: later }),
      },
    ];
  });
}

/** If only one side is an unmodified template, fills in its text so that both can be compared. */
function filled(
  before: Item,
  after: Item,
  { earlier, later }: { readonly earlier: ReviewSide; readonly later: ReviewSide },
): readonly [Item, Item] {
  if (before.template === after.template) return [before, after];
  const withText = (item: Item, { known }: ReviewSide): Item => {
    const text = item.template === undefined ? undefined : known[item.template];
    return text === undefined ? item : { ...item, text };
  };
  return [withText(before, earlier), withText(after, later)];
}

function contentDetails(before: Item, after: Item): readonly TextDetail[] {
  // Equal content can be shown differently when its mode makes it private. This is not a difference.
  if (isSame(before, after)) return [];
  if (before.value !== undefined && after.value !== undefined) {
    const shown = fieldChanges(before.value, after.value);
    return [...fieldDetails(shown), ...hiddenDetails(before, after, shown)];
  }
  if (isUnknownTemplate(before) !== isUnknownTemplate(after))
    return [{ what: 'contents', before: templateNote(before), after: templateNote(after) }];
  const shown = textChanges('contents', before.text ?? '', after.text ?? '');
  return [...shown, ...hiddenDetails(before, after, [])];
}

/** Whether the unmasked contents are known to be equal. */
function isSame(before: Item, after: Item): boolean {
  if (before.source !== undefined && before.source === after.source) return true;
  const [earlier, later] = [before.sourceValue, after.sourceValue];
  return earlier !== undefined && later !== undefined && fieldChanges(earlier, later).length === 0;
}

/** A template of another version of sno-install, whose text is not available. */
function isUnknownTemplate({ template, text }: Item): boolean {
  return template !== undefined && text === undefined;
}

function templateNote(item: Item): string {
  return isUnknownTemplate(item) ? `template ${item.template ?? ''} of that version` : 'its own text';
}

function oneSided(before: Item | undefined, after: Item | undefined): readonly Detail[] {
  const item = before ?? after;
  const { value, texts } = splitTexts(item?.text === undefined ? item?.value : undefined);
  const text = item?.text ?? (value === undefined ? undefined : writeYaml(value));
  const isRemoved = before !== undefined;
  return [
    ...textChanges('contents', isRemoved ? text : undefined, isRemoved ? undefined : text),
    ...textDetails(texts, isRemoved ? '-' : '+'),
  ];
}

/** Merges differences that are equal except for the config, and certificate differences that are equal except for the file. */
function mergeEqual(differences: readonly Difference[]): readonly Difference[] {
  const groups = new Map<string, Difference>();
  for (const each of differences) {
    const key = JSON.stringify([each.kind, each.name, each.from, each.change, each.details]);
    const other = groups.get(key);
    const at = sorted([...(other?.at ?? []), ...(each.at ?? [])]);
    groups.set(key, {
      ...each,
      in: sorted([...(other?.in ?? []), ...each.in]),
      ...(at.length > 0 && { at }),
    });
  }
  return [...groups.values()];
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(byCodeUnit);
}

/** Splits a difference into one per certificate and the rest. */
function withCertificates(
  difference: Difference & { readonly details: readonly TextDetail[] },
): readonly Difference[] {
  const { kind, name, in: places } = difference;
  const bySubject = new Map<string | undefined, readonly TextDetail[]>();
  for (const detail of difference.details)
    bySubject.set(detail.certificate, [...(bySubject.get(detail.certificate) ?? []), detail]);
  return [...bySubject].map(([subject, details]): Difference => {
    if (subject === undefined) return { ...difference, details };
    return {
      in: places,
      kind: 'certificate',
      name: subject,
      change: 'changed',
      details: details.map(withoutSubject),
      at: [`${kind} ${name}`],
    };
  });
}

/** Names the certificate of a renamed item in the detail. */
function withSubject({ certificate, ...detail }: TextDetail): Detail {
  return certificate === undefined ? detail : { ...detail, what: `${certificate}: ${detail.what}` };
}

/** A certificate fact always has two values; a missing one is `none`. */
function withoutSubject({ what, before = 'none', after = 'none' }: TextDetail): Detail {
  return { what, before, after };
}

/** Reports where masked contents differ, and nothing derived from them. Even a hash would allow guessing a short secret. */
function hiddenDetails(before: Item, after: Item, shown: readonly FieldChange[]): readonly Detail[] {
  if (before.sourceValue !== undefined && after.sourceValue !== undefined)
    return hiddenFields(before, after, shown);
  if (before.source === undefined || after.source === undefined || before.source === after.source) return [];
  const isHidden = before.text === after.text || hidesLines(before.source, after.source);
  return isHidden ? [{ what: 'contents', hidden: true }] : [];
}

/** Returns fields whose values differ but look equal when masked. A path ends where masking hides it. */
function hiddenFields(before: Item, after: Item, shown: readonly FieldChange[]): readonly Detail[] {
  const reported = new Set(shown.map(({ path }) => shownPath(path)));
  const options = { renamesIn: renamesOf(shown) };
  const paths = fieldChanges(before.sourceValue, after.sourceValue, options).map(({ path }) => {
    const [earlier, later] = [before, after].map(({ value }) => deepestAt(value, path));
    const [long = [], short = []] = [earlier ?? [], later ?? []].toSorted((a, b) => b.length - a.length);
    // `[order]` of a list is no member of the list, so only the whole path names it.
    const isReported = [path, long, short].some((each) => reported.has(shownPath(each)));
    return { seen: shownPath(long), isReported };
  });
  const hidden = paths
    .filter(({ isReported, seen }) => !isReported && !reported.has(seen))
    .map(({ seen }) => seen);
  return [...new Set(hidden)].map((path) => ({ what: path === '' ? 'contents' : path, hidden: true }));
}

/** Whether a removed and an added line look equal when masked but differ. */
function hidesLines(before: string, after: string): boolean {
  const lines = lineChanges(before, after).flatMap((hunk) => hunk.lines);
  const linesOf = (sign: string): ReadonlySet<string> =>
    new Set(lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)));
  const [removedLines, come] = [linesOf('-'), linesOf('+')];
  const shownAs = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
    [...some].filter((line) => !others.has(line)).map((line) => renderText(line));
  const looks = new Set(shownAs(removedLines, come));
  return shownAs(come, removedLines).some((line) => looks.has(line));
}
