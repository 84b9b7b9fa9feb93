import type { OutputFile } from '../core/output-file.js';
import { templatesFolder } from '../disk/own/package.js';
import { goldenOutputs } from '../rehearsed-outputs.js';
import type { Difference } from '../review/diff/difference.js';
import { sideOfOutputs } from '../review/diff/review-side.js';
import { keepingShownTexts } from '../review/shown-text.js';
import { GroupedProblems, type FleetProblem } from '../fleet/grouped-problems.js';
import { filesOf, judgeSite, type JudgedSite } from './judge-site.js';
import type { ReadFleet } from '../fleet/judge-fleet.js';
import type { SiteRow } from '../fleet/site-table.js';
import { GroupedDifferences, type FleetDifferences } from './grouped-differences.js';
import { valuesOf, valuesOfBoth } from './own-values.js';
import { pairedNames } from './paired-names.js';
import { areSameInputs } from './same-inputs.js';
import { secretVariables } from './secret-variables.js';
import { siteDifferences } from './site-differences.js';

/** How the sites of two fleets are compared. */
export interface FleetComparing {
  readonly offlineFiles?: string;
  readonly onSite?: (done: number) => void;
}

/** What came of it. */
export interface ComparedFleets {
  /** Of the earlier and the later fleet, each once for all sites that have it. */
  readonly problems: readonly [readonly FleetProblem[], readonly FleetProblem[]];
  /** Absent where a site cannot be made. */
  readonly found?: FleetDifferences;
}

/**
 * What is made of the sites of two fleets with stand-ins for keys, compared site by site. A site of which nothing was changed is not
 * made. Of a fleet that is not there all sites were added, or removed. Problems: fleet/…, those of every asset.
 */
export async function compareFleets(
  before: ReadFleet | undefined,
  after: ReadFleet | undefined,
  { onSite = () => undefined, ...making }: FleetComparing,
): Promise<ComparedFleets> {
  const [earlier, later] = [sitesOf(before), sitesOf(after)];
  const { both, added, removed } = pairedNames([...earlier.keys()], [...later.keys()]);
  const pairs = both.flatMap((name) => {
    const [left, right] = [earlier.get(name), later.get(name)];
    return left && right ? [{ name, left, right }] : [];
  });
  const secret = new Set([before, after].flatMap((read) => (read ? [...secretVariables(read)] : [])));
  const grouped = new GroupedDifferences(
    pairs.map(({ name, left, right }) => ({
      name,
      values: valuesOfBoth(valuesOf(left.row, secret), valuesOf(right.row, secret)),
    })),
  );
  const problems = [new GroupedProblems(), new GroupedProblems()] as const;
  const compare = comparison(making);
  let isWhole = true;
  for (const [index, { name, left, right }] of pairs.entries()) {
    const { judged, differences } = await compare(left, right);
    for (const side of [0, 1] as const) problems[side].add(name, judged[side]?.problems ?? []);
    isWhole &&= judged.every((each) => each.judged.ok);
    if (isWhole) grouped.add(index, differences);
    onSite(index + 1);
  }
  const found = {
    compared: both.length,
    added,
    removed,
    constants: [],
    groups: isWhole ? grouped.groups() : [],
  };
  return { problems: [problems[0].list(), problems[1].list()], ...(isWhole && { found }) };
}

/** A site of a fleet. */
interface FleetSite {
  readonly read: ReadFleet;
  readonly row: SiteRow;
}

function sitesOf(read: ReadFleet | undefined): ReadonlyMap<string, FleetSite> {
  return new Map(read === undefined ? [] : read.rows.map((row) => [row.name, { read, row }]));
}

interface ComparedSites {
  /** None of a site that is what it was. */
  readonly judged: readonly JudgedSite<readonly OutputFile[]>[];
  readonly differences: readonly Difference[];
}

type CompareSites = (before: FleetSite, after: FleetSite) => Promise<ComparedSites>;

function comparison(making: Pick<FleetComparing, 'offlineFiles'>): CompareSites {
  const show = keepingShownTexts();
  const made = ({ read, row }: FleetSite): Promise<JudgedSite<readonly OutputFile[]>> =>
    judgeSite(read, row, (inputs) =>
      goldenOutputs({ ...making, target: read.fleet.target, inputs, templatesFolder: templatesFolder() }),
    );
  return async (before, after) => {
    if (areSame(before, after)) return { judged: [], differences: [] };
    const judged = [await made(before), await made(after)];
    const [earlier, later] = judged.map((each) =>
      each.judged.ok ? sideOfOutputs(each.judged.value, undefined, show) : undefined,
    );
    return { judged, differences: earlier && later ? siteDifferences(earlier, later) : [] };
  };
}

function areSame(before: FleetSite, after: FleetSite): boolean {
  const [earlier, later] = [before, after].map(({ read, row }) => filesOf(read, row).inputs);
  const isSameTarget = before.read.fleet.target === after.read.fleet.target;
  return isSameTarget && earlier !== undefined && later !== undefined && areSameInputs(earlier, later);
}
