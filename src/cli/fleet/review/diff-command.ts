import { isError, problem, type Problem } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { standardInput, type Stdin } from '../../../disk/external-files/standard-input.js';
import {
  compareFleets,
  pairSites,
  siteComparer,
  type ComparedSite,
  type SitePair,
} from '../../../fleet/review/compare-fleets.js';
import { compareSharedTrees } from '../../../fleet/review/compare-shared-trees.js';
import { openAtRevision, openOnDisk, type ReviewSource } from '../../../fleet/review/review-source.js';
import type { FleetDifferences } from '../../../fleet/review/grouped-differences.js';
import type { SharedTree } from '../../../fleet/review/shared-tree.js';
import { siteSourcesOf } from '../../../fleet/check-site-files.js';
import { noMatchingSite } from '../../../fleet/site-selection.js';
import { selectedSites, type SiteFilter } from './selected-sites.js';
import { siteProgress } from '../../progress.js';
import { usageError } from '../../usage-error.js';
import { parseJobs } from '../jobs-option.js';
import { offlineOption, reviewOptions } from '../review-options.js';
import { workersFor, type Workers } from '../../../run/threads/workers.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { diffOutputs, type OutputsPlace } from './diff-outputs.js';
import { reportFleetDifferences } from './report-fleet-differences.js';
import type { ComparingFleet, FleetDiffOptions } from './review-options.js';

type Options = ComparingFleet & FleetDiffOptions;

/** Compares, site by site: two fleets, two golden trees, outputs of sites, or a folder with its version in a Git revision. */
export async function diffFleets(named: readonly string[], options: Options): Promise<void> {
  const { against, dir } = options;
  const isRight = against === undefined ? named.length === 2 : named.length <= 1;
  if (!isRight) {
    const fault =
      against === undefined
        ? 'expected two directories to compare'
        : 'expected at most one directory with --against';
    usageError(
      options,
      `${fault}, got ${named.length}`,
      'try `sno-install fleet diff BEFORE AFTER`, or `sno-install fleet diff --dir FLEET --against main`',
    );
    return;
  }
  const jobs = parseJobs(options);
  if (jobs === undefined) return;
  const [first = dir, second = first] = named;
  const stdin = standardInput();
  const outside = { variables: process.env, stdin };
  const before = against === undefined ? openOnDisk(first, outside) : openAtRevision(first, against, outside);
  const after = openOnDisk(second, outside);
  const isRead = before.ok && after.ok;
  const compared = isRead
    ? await compare(before.value, after.value, { jobs, stdin, options })
    : { problems: [before, after].flatMap((each) => (each.ok ? [] : each.problems)) };
  reportFleetDifferences(
    { ...options, dir: '.' },
    {
      ...compared,
      // Warnings of the old side are not relevant to the change.
      problems: [...(isRead ? after.warnings : []), ...compared.problems],
      what: against === undefined ? `${first} and ${second}` : `${first} against ${against}`,
    },
  );
}

interface Compared {
  readonly problems: readonly Problem[];
  readonly found?: FleetDifferences;
  /** Print the differences even if there are errors. */
  readonly isFoundAnyway?: boolean;
}

function isOfOutputs(place: ReviewSource): place is OutputsPlace {
  return place.kind === 'outputs' || place.kind === 'fleet';
}

interface CompareContext {
  readonly jobs: number;
  readonly stdin: Stdin;
  readonly options: Options;
}

async function compare(before: ReviewSource, after: ReviewSource, means: CompareContext): Promise<Compared> {
  const { options } = means;
  const selected = selectedSites([before, after], options, options.dir);
  if (!selected.ok) return { problems: selected.problems };
  const isSelected = selected.value;
  if (isOfOutputs(before) && isOfOutputs(after) && [before, after].some(({ kind }) => kind === 'outputs'))
    return {
      ...(await diffOutputs(before, after, { jobs: means.jobs, isSelected, options })),
      isFoundAnyway: true,
    };
  const kinds = new Set([before, after].map(({ kind }) => kind).filter((kind) => kind !== 'empty'));
  if (kinds.size === 1) {
    if (kinds.has('fleet')) return comparedFleets(before, after, { ...means, isSelected });
    if (kinds.has('tree')) return comparedTrees(before, after, { isSelected, options });
  }
  const hint =
    'name two directories with a fleet.yaml or with outputs of sites, or two trees written by `fleet golden`';
  const message = 'the paths are not two fleets, two output directories or two golden trees';
  return { problems: [problem('fleet/not-comparable', message, { hint })] };
}

/** If one side has no fleet, all sites are added or removed. */
async function comparedFleets(
  before: ReviewSource,
  after: ReviewSource,
  means: CompareContext & { readonly isSelected: SiteFilter },
): Promise<Compared> {
  const { options, isSelected: isSelected } = means;
  const places = [before, after].map((place) =>
    place.kind === 'fleet' ? selectSites(place, isSelected) : undefined,
  );
  const [earlier, later] = places;
  const sites = Math.max(...places.map((place) => place?.read.rows.length ?? 0));
  if (sites === 0) return { problems: problemsOf(noMatchingSite(options)) };
  const screen = siteProgress(options, sites);
  const pairs = pairSites(earlier?.read, later?.read);
  const workers = comparersOf([earlier, later], pairs.both.length, means);
  const { problems, found } = await compareFleets(pairs, { workers, onSite: screen.onSite }).finally(
    workers.close,
  );
  screen.done();
  const [ofBefore, ofAfter] = places.map((place, side) => {
    const shown = fleetProblemsShown(options, problems[side] ?? [], sites);
    return place === undefined ? shown : shown.map(place.placed);
  });
  return { problems: [...(ofBefore ?? []).filter(isError), ...(ofAfter ?? [])], ...(found && { found }) };
}

type FleetOnDisk = Extract<ReviewSource, { readonly kind: 'fleet' }>;

function selectSites(place: FleetOnDisk, isSelected: SiteFilter): FleetOnDisk {
  const { read } = place;
  return { ...place, read: { ...read, rows: read.rows.filter(({ name }) => isSelected(name)) } };
}

function comparersOf(
  [before, after]: readonly (FleetOnDisk | undefined)[],
  items: number,
  { jobs, stdin, options }: CompareContext,
): Workers<SitePair, ComparedSite> {
  const both = (): readonly [FleetOnDisk, FleetOnDisk] => {
    if (before === undefined || after === undefined)
      throw new Error('internal error: only one side to compare');
    return [before, after];
  };
  return workersFor(
    { items, jobs },
    () => ({
      task: 'compare',
      order: both().map((place) => reviewOptions(place.read, place, { ...options, stdin })),
    }),
    () => {
      const [earlier, later] = both();
      return siteComparer([siteSourcesOf(earlier.read), siteSourcesOf(later.read)], offlineOption(options));
    },
  );
}

function comparedTrees(
  before: ReviewSource,
  after: ReviewSource,
  { isSelected, options }: { readonly isSelected: SiteFilter; readonly options: Options },
): Compared {
  const [earlier, later] = [treeIn(before, isSelected), treeIn(after, isSelected)];
  if (earlier.sites.size + later.sites.size === 0) return { problems: problemsOf(noMatchingSite(options)) };
  return { problems: [], found: compareSharedTrees(earlier, later) };
}

function treeIn(place: ReviewSource, isSelected: SiteFilter): SharedTree {
  if (place.kind !== 'tree') return { sites: new Map(), common: {}, parts: [], constants: {} };
  const sites = [...place.tree.sites].filter(([name]) => isSelected(name));
  return { ...place.tree, sites: new Map(sites) };
}
