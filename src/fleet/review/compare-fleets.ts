import { posix } from 'node:path';

import { readReferencedTexts } from '../../config/reading/referenced-texts.js';
import type { OutputFile } from '../../core/output-file.js';
import { isError, type Problem } from '../../core/problem.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { type FleetProblem, GroupedProblems } from '../problems/grouped-problems.js';
import { type LoadedFleet, withFleetVariables } from '../table/check-fleet.js';
import { type CheckedSite, type SiteInputSources, checkSiteFiles } from '../table/check-site-files.js';
import { siteFiles } from '../table/site-files.js';
import type { SiteRow } from '../table/site-table.js';
import type { Inputs } from '../../graph/context.js';
import { goldenOutputs } from '../../run/dry-run-outputs.js';
import type { Difference } from '../../review/diff/difference.js';
import { sideOfOutputs } from '../../review/diff/review-side.js';
import { outputSheetDifferences, sheetOfOutputs } from '../../review/sheet/sheet-differences.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import { renderForFleet } from './render-for-fleet.js';
import { inOrder, type Workers } from '../threads/in-order.js';
import {
  type FleetDifferences,
  GroupedDifferences,
  mostAddedSheets,
  type SiteSheet,
  UnreadSites,
} from './grouped-differences.js';
import { type SiteValues, valuesOf, valuesOfBoth } from '../table/site-placeholders.js';
import { bootDifferences, bootFileDigests, withMachine } from './boot-differences.js';
import { pairNames } from './paired-names.js';
import { secretVariables } from './secret-variables.js';
import { siteDifferences } from './site-differences.js';

/** A site that exists on both sides, or an added site. Rows include the fleet-wide variables of their side. */
export interface SitePair {
  /** Absent for an added site. */
  readonly before?: SiteRow;
  readonly after: SiteRow;
}

/** Result for one site. */
export interface ComparedSite {
  /** Problems before and after; empty if the site is unchanged. */
  readonly problems: readonly [readonly Problem[], readonly Problem[]];
  /** Absent if the site cannot be rendered on one side. */
  readonly differences?: readonly Difference[];
  /** Only of an added site. */
  readonly sheet?: Sheet;
}

export interface FleetComparisonOptions {
  readonly workers: Workers<SitePair, ComparedSite>;
  readonly onSite?: (done: number) => void;
}

export interface ComparedFleets {
  /** Problems of the fleet before and after, each once with all its sites. */
  readonly problems: readonly [readonly FleetProblem[], readonly FleetProblem[]];
  /** Without the sites that cannot be rendered, which are listed. */
  readonly found: FleetDifferences;
}

interface PairedSite extends SitePair {
  readonly name: string;
  readonly values: SiteValues;
  /** Differences of the `boot` settings. */
  readonly boot: readonly Difference[];
}

/** Sites of both fleets, and names of the sites that were added or removed. */
export interface PairedSites {
  readonly both: readonly PairedSite[];
  readonly added: readonly string[];
  /** Rows of the added sites. */
  readonly addedRows: readonly SiteRow[];
  /** Adds the BMC to the sheet of an added site. */
  readonly completed: (sheet: Sheet, site: SiteRow) => Sheet;
  readonly removed: readonly string[];
}

/** Pairs the sites of two fleets by name. If one fleet is undefined, all sites were added or removed. */
export function pairSites(before: LoadedFleet | undefined, after: LoadedFleet | undefined): PairedSites {
  const [earlier, later] = [rowsOf(before), rowsOf(after)];
  const { both, added, removed } = pairNames([...earlier.keys()], [...later.keys()]);
  const secret = new Set([before, after].flatMap((read) => (read ? [...secretVariables(read)] : [])));
  const [earlierFiles, laterFiles] = [bootFileDigests(before), bootFileDigests(after)];
  const pairs = both.flatMap((name) => {
    const [left, right] = [earlier.get(name), later.get(name)];
    if (!before || !after || left === undefined || right === undefined) return [];
    const values = valuesOfBoth(valuesOf(left.given, secret), valuesOf(right.given, secret));
    const sides = [
      { fleet: before.fleet, row: left.row, digests: earlierFiles },
      { fleet: after.fleet, row: right.row, digests: laterFiles },
    ] as const;
    return [{ name, before: left.row, after: right.row, values, boot: bootDifferences(...sides, secret) }];
  });
  const addedRows = added.flatMap((name) => later.get(name)?.row ?? []);
  const completed = after === undefined ? (sheet: Sheet) => sheet : withMachine(after);
  return { both: pairs, added, addedRows, completed, removed };
}

/** Compares the rendered outputs of two fleets site by site. Problems: those of `siteComparer`. */
export async function compareFleets(
  { both, added, addedRows, completed, removed }: PairedSites,
  { workers, onSite = () => undefined }: FleetComparisonOptions,
): Promise<ComparedFleets> {
  const grouped = new GroupedDifferences(both);
  const problems = [new GroupedProblems(), new GroupedProblems()] as const;
  const unread = new UnreadSites();
  let done = 0;
  const compare = ({ before, after }: SitePair): Promise<ComparedSite> =>
    workers.run({ ...(before && { before }), after });
  for await (const [{ name, boot }, site] of inOrder(both, workers.atOnce, compare)) {
    for (const side of [0, 1] as const) problems[side].add(name, site.problems[side]);
    if (site.differences === undefined) unread.add(name, site.problems.flat().find(isError)?.message);
    else grouped.add(done, [...boot, ...site.differences]);
    done += 1;
    onSite(done);
  }
  const addedSheets: SiteSheet[] = [];
  for await (const [row, { problems: ofSite, sheet }] of inOrder(addedRows, workers.atOnce, (after) =>
    workers.run({ after }),
  )) {
    problems[1].add(row.name, ofSite[1]);
    if (sheet !== undefined && addedSheets.length < mostAddedSheets)
      addedSheets.push({ site: row.name, sheet: completed(sheet, row) });
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
  return { problems: [problems[0].list(), problems[1].list()], found };
}

/** Returns a function that compares one site, rendered with placeholder keys. A site with unchanged inputs is not rendered. */
export function siteComparer(
  [before, after]: readonly [SiteInputSources, SiteInputSources],
  settings: { readonly offlineFiles?: string },
): (pair: SitePair) => Promise<ComparedSite> {
  const show = renderForFleet();
  const templates = ownTemplates();
  const made = (origin: SiteInputSources, row: SiteRow): Promise<CheckedSite<readonly OutputFile[]>> =>
    checkSiteFiles(origin, row, (inputs) =>
      goldenOutputs({ ...settings, target: origin.target, inputs, templates, placeholderRegistries: [] }),
    );
  return async ({ before: earlierRow, after: laterRow }) => {
    if (earlierRow === undefined) {
      const added = await made(after, laterRow);
      const sheet = added.judged.ok ? sheetOfOutputs(added.judged.value) : undefined;
      return { problems: [[], added.problems], ...(sheet && { sheet }) };
    }
    const [left, right] = [siteFiles(before, earlierRow).inputs, siteFiles(after, laterRow).inputs];
    if (before.target === after.target && areSameInputs(left, right))
      return { problems: [[], []], differences: [] };
    const [earlier, later] = [await made(before, earlierRow), await made(after, laterRow)];
    const problems = [earlier.problems, later.problems] as const;
    if (!earlier.judged.ok || !later.judged.ok) return { problems };
    const sides = [earlier.judged.value, later.judged.value].map((files) =>
      sideOfOutputs(files, undefined, show),
    );
    const [one, other] = sides;
    return {
      problems,
      differences: [
        ...outputSheetDifferences(earlier.judged.value, later.judged.value),
        ...(one && other ? siteDifferences(one, other) : []),
      ],
    };
  };
}

/** Each row as read, and with the fleet-wide variables. */
function rowsOf(
  read: LoadedFleet | undefined,
): ReadonlyMap<string, { readonly given: SiteRow; readonly row: SiteRow }> {
  if (read === undefined) return new Map();
  return new Map(
    read.rows.map((given) => [given.name, { given, row: withFleetVariables(given, read.fleet) }]),
  );
}

/** Whether two sites have the same files, including files that configs refer to. Their outputs are then equal. */
function areSameInputs(before: Inputs, after: Inputs): boolean {
  const [earlier, later] = [pathsOf(before), pathsOf(after)];
  if (earlier.join('\n') !== later.join('\n')) return false;
  if (!earlier.every((path) => isSameFile(path, before, after))) return false;
  return (
    JSON.stringify(readReferencedTexts(before).texts) === JSON.stringify(readReferencedTexts(after).texts)
  );
}

/** All files of a site, sorted by folder. */
function pathsOf(inputs: Inputs, folder = '.'): readonly string[] {
  return (inputs.list(folder) ?? []).flatMap((entry) => {
    const path = posix.join(folder, entry);
    return entry.endsWith('/') ? pathsOf(inputs, path) : [path];
  });
}

function isSameFile(path: string, before: Inputs, after: Inputs): boolean {
  const [earlier, later] = [before.read(path), after.read(path)];
  return earlier.kind === 'file' && later.kind === 'file' && Buffer.compare(earlier.bytes, later.bytes) === 0;
}
