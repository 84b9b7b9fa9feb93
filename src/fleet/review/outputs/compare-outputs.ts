import type { OutputFile } from '../../../core/output-file.js';
import { type Problem, isError } from '../../../core/problem.js';
import { type FleetProblem, GroupedProblems } from '../../problems/grouped-problems.js';
import type { SiteRow } from '../../table/site-table.js';
import { parseJson } from '../../../formats/json.js';
import { textAt } from '../../../kube/fields.js';
import type { Difference } from '../../../review/diff/difference.js';
import { outputSheetDifferences, sheetOfOutputs } from '../../../review/sheet/sheet-differences.js';
import type { Sheet } from '../../../review/sheet/sheet.js';
import { sideOfOutputs } from '../../../review/diff/review-side.js';
import { renderForFleet } from '../render-for-fleet.js';
import { inOrder, type Workers } from '../../threads/in-order.js';
import {
  type FleetDifferences,
  GroupedDifferences,
  mapTexts,
  mostAddedSheets,
  type SiteSheet,
  UnreadSites,
} from '../grouped-differences.js';
import type { SiteValues } from '../../table/site-placeholders.js';
import type { PairedNames } from '../paired-names.js';
import { siteDifferences } from '../site-differences.js';

/** A site whose outputs are compared. */
export interface ComparedItem {
  readonly name: string;
  /** Includes the fleet-wide variables; absent if neither side is a fleet. */
  readonly row?: SiteRow;
  /** Whether only the later side has the site. */
  readonly isAdded?: boolean;
}

/** Returns the outputs of a site on one side. */
export type OutputsReader = (site: ComparedItem) => Promise<SideOutputs>;

export interface SideOutputs {
  readonly files: readonly OutputFile[];
  readonly problems: readonly Problem[];
  /** Whether the outputs are known to equal those of the other side without being read. */
  readonly isAsOther?: boolean;
}

export interface OutputsComparison {
  readonly found: FleetDifferences;
  /** Each once, with all sites that have it. */
  readonly problems: readonly FleetProblem[];
}

/** Result for one site. */
export interface SiteOutputsComparison {
  /** Problems of both sides. */
  readonly problems: readonly Problem[];
  /** Absent if the outputs of one side cannot be read. */
  readonly differences?: readonly Difference[];
  /** Only of an added site. */
  readonly sheet?: Sheet;
}

export interface OutputsComparisonOptions {
  readonly workers: Workers<ComparedItem, SiteOutputsComparison>;
  /** Returns the work item for a site name. */
  readonly siteOf: (name: string) => ComparedItem;
  /** Adds the BMC to the sheet of an added site. */
  readonly completed?: (sheet: Sheet, site: ComparedItem) => Sheet;
  /** Values that appear as `${name}` in differences that several sites share. */
  readonly valuesOf: (site: string) => SiteValues;
  readonly onSite?: (done: number) => void;
}

/** Compares the outputs of all sites. A site that cannot be read on one side is reported, and the others are still compared. */
export async function compareOutputs(
  { both, added, removed }: PairedNames,
  {
    workers,
    siteOf,
    valuesOf,
    completed = (sheet) => sheet,
    onSite = () => undefined,
  }: OutputsComparisonOptions,
): Promise<OutputsComparison> {
  const grouped = new GroupedDifferences(both.map((name) => ({ name, values: valuesOf(name) })));
  const problems = new GroupedProblems();
  const compare = (name: string): Promise<SiteOutputsComparison> => workers.run(siteOf(name));
  const unread = new UnreadSites();
  let done = 0;
  for await (const [name, site] of inOrder(both, workers.atOnce, compare)) {
    problems.add(name, site.problems);
    if (site.differences === undefined) unread.add(name, site.problems.find(isUnreadable)?.message);
    else grouped.add(done, site.differences);
    done += 1;
    onSite(done);
  }
  const addedSheets: SiteSheet[] = [];
  const addedItems = added.map((name) => ({ ...siteOf(name), isAdded: true }));
  for await (const [item, site] of inOrder(addedItems, workers.atOnce, workers.run)) {
    const { problems: ofSite, sheet } = site;
    problems.add(item.name, ofSite);
    if (sheet !== undefined && addedSheets.length < mostAddedSheets)
      addedSheets.push({ site: item.name, sheet: completed(sheet, item) });
    done += 1;
    onSite(done);
  }
  const found = {
    compared: both.length - unread.count,
    notCompared: unread.list(),
    added,
    addedSheets,
    removed,
    constants: [],
    groups: grouped.groups(),
  };
  return { found, problems: problems.list() };
}

/** Returns a function that compares the outputs of one site. Outputs that are known to be equal are not read. */
export function outputsComparer([before, after]: readonly [OutputsReader, OutputsReader]): (
  site: ComparedItem,
) => Promise<SiteOutputsComparison> {
  const differences = comparison();
  return async (site) => {
    const later = await after(site);
    if (site.isAdded === true) return addedSite(later);
    const earlier = later.isAsOther === true ? later : await before(site);
    const sides = earlier.isAsOther === true ? [earlier] : [earlier, later];
    const problems = sides.flatMap((side) => side.problems);
    if (problems.some(isUnreadable)) return { problems };
    const isSame = sides.some(({ isAsOther }) => isAsOther === true);
    return { problems, differences: isSame ? [] : differences(earlier.files, later.files) };
  };
}

function addedSite({ files, problems }: SideOutputs): SiteOutputsComparison {
  const sheet = sheetOfOutputs(files);
  return { problems, ...(sheet && { sheet }) };
}

/** A site with a missing output is compared without it. */
function isUnreadable(found: Problem): boolean {
  return isError(found) && found.code !== 'fleet/output-gone';
}

function comparison(): (
  before: readonly OutputFile[],
  after: readonly OutputFile[],
) => readonly Difference[] {
  const show = renderForFleet();
  return (before, after) => {
    if (areSame(before, after)) return [];
    const [earlier, later] = [before, after].map((files) => sideOfOutputs(files, undefined, show));
    const ids = [before, after].map(infrastructureOf);
    const found = earlier && later ? siteDifferences(earlier, later) : [];
    return [...outputSheetDifferences(before, after), ...found].map((each) =>
      withoutGeneratedValues(each, ids),
    );
  };
}

function areSame(before: readonly OutputFile[], after: readonly OutputFile[]): boolean {
  const later = new Map(after.map((file) => [file.path, file]));
  return (
    before.length === later.size &&
    before.every(({ path, mode, contents }) => {
      const other = later.get(path);
      return other?.mode === mode && Buffer.from(contents).equals(Buffer.from(other.contents));
    })
  );
}

/**
 * Generated keys and IDs, and timestamps, as trees and texts show them. They are masked, since otherwise no two sites would have the same
 * difference.
 */
const drawn: readonly (readonly [RegExp, string])[] = [
  // Validity times of certificates, in each format used on the node.
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>'],
  [/(?<=\bSNO_NOT_(?:BEFORE|AFTER)=')\d+/g, '<time>'],
  // Key type and the first digits of the public key's hash.
  [/(?<=\b(?:rsa-\d+|ec-[\w-]+|ed25519) )[0-9a-f]{8}\b/g, '<key>'],
  [/(?<=\b(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-\S+) )[A-Za-z0-9+/]{40,}={0,2}/g, '<key>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>'],
];

/** infraID in metadata.json; empty if there is none. */
function infrastructureOf(files: readonly OutputFile[]): string {
  const metadata = files.find(({ path }) => path === 'metadata.json');
  const text = Buffer.from(metadata?.contents ?? '').toString('utf8');
  return textAt(parseJson(text), ['infraID']) ?? '';
}

/** Masks generated values in a difference, so that sites can share it; `infrastructures` are the infraIDs of the site. */
function withoutGeneratedValues(difference: Difference, infrastructures: readonly string[]): Difference {
  const ids = infrastructures.filter((id) => id !== '');
  return mapTexts(difference, (text) => {
    const named = ids.reduce((shown, id) => shown.replaceAll(id, '<infrastructure>'), text);
    return drawn.reduce((shown, [pattern, name]) => shown.replace(pattern, name), named);
  });
}
