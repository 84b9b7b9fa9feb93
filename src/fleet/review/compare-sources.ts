import { isError, problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import type { Workers } from '../threads/in-order.js';
import { workersFor } from '../threads/workers.js';
import { siteSourcesOf } from '../table/check-site-files.js';
import { noMatchingSite } from '../table/site-selection.js';
import {
  compareFleets,
  pairSites,
  siteComparer,
  type ComparedSite,
  type SitePair,
} from './compare-fleets.js';
import { compareSharedTrees } from './compare-shared-trees.js';
import type { ComparisonOptions } from './comparison-options.js';
import { diffOutputs } from './diff-outputs.js';
import type { OutputsPlace } from './fleet-around.js';
import { onlySheets, type FleetDifferences } from './grouped-differences.js';
import type { ReviewOptions } from './reopen-fleet.js';
import { offlineOption, reviewOptions } from './review-options.js';
import type { ReviewSource } from './review-source.js';
import { selectedSites, type SiteFilter } from './selected-sites.js';
import type { SharedTree } from './shared-tree.js';

/** The result of a comparison. */
export interface ComparedSources {
  readonly problems: readonly Problem[];
  readonly found?: FleetDifferences;
  /** Golden trees were compared, which can be older than their fleets. */
  readonly isOfTrees?: true;
}

function isOfOutputs(place: ReviewSource): place is OutputsPlace {
  return place.kind === 'outputs' || place.kind === 'fleet';
}

/**
 * Compares, site by site, two fleets, two golden trees, or outputs of sites. Sites that cannot be compared are listed, and the others are
 * still compared. Problems: fleet/not-comparable, those of the sides.
 */
export async function compareSources(
  before: ReviewSource,
  after: ReviewSource,
  options: ComparisonOptions,
): Promise<ComparedSources> {
  const compared = await comparedSources(before, after, options);
  const { found } = compared;
  return options.isOfSheets === true && found ? { ...compared, found: onlySheets(found) } : compared;
}

async function comparedSources(
  before: ReviewSource,
  after: ReviewSource,
  options: ComparisonOptions,
): Promise<ComparedSources> {
  const selected = selectedSites([before, after], options, options.dir);
  if (!selected.ok) return { problems: selected.problems };
  const isSelected = selected.value;
  if (isOfOutputs(before) && isOfOutputs(after) && [before, after].some(({ kind }) => kind === 'outputs'))
    return diffOutputs(before, after, isSelected, options);
  const kinds = new Set([before, after].map(({ kind }) => kind).filter((kind) => kind !== 'empty'));
  if (kinds.size === 1) {
    if (kinds.has('fleet')) return comparedFleets([before, after], isSelected, options);
    if (kinds.has('tree')) return comparedTrees([before, after], isSelected, options);
  }
  const hint =
    'name two directories with a fleet.yaml or with outputs of sites, or two trees written by `fleet golden`';
  const message = 'the paths are not two fleets, two output directories or two golden trees';
  return { problems: [problem('fleet/not-comparable', message, { hint })] };
}

type Sides = readonly [before: ReviewSource, after: ReviewSource];

/** If one side has no fleet, all sites are added or removed. */
async function comparedFleets(
  sides: Sides,
  isSelected: SiteFilter,
  options: ComparisonOptions,
): Promise<ComparedSources> {
  const places = sides.map((place) => (place.kind === 'fleet' ? selectSites(place, isSelected) : undefined));
  const [earlier, later] = places;
  const sites = Math.max(...places.map((place) => place?.read.rows.length ?? 0));
  if (sites === 0) return { problems: problemsOf(noMatchingSite(options)) };
  const pairs = pairSites(earlier?.read, later?.read);
  const rendered = pairs.both.length + pairs.addedRows.length;
  const screen = options.showProgress(rendered);
  const workers = comparersOf([earlier, later], rendered, options);
  const { problems, found } = await compareFleets(pairs, { workers, onSite: screen.onSite }).finally(
    workers.close,
  );
  screen.done();
  const [ofBefore, ofAfter] = places.map((place, side) => {
    const shown = options.shown(problems[side] ?? [], sites);
    return place === undefined ? shown : shown.map(place.placed);
  });
  return { problems: [...(ofBefore ?? []).filter(isError), ...(ofAfter ?? [])], found };
}

type FleetOnDisk = Extract<ReviewSource, { readonly kind: 'fleet' }>;

function selectSites(place: FleetOnDisk, isSelected: SiteFilter): FleetOnDisk {
  const { read } = place;
  return { ...place, read: { ...read, rows: read.rows.filter(({ name }) => isSelected(name)) } };
}

function comparersOf(
  [before, after]: readonly (FleetOnDisk | undefined)[],
  items: number,
  options: ComparisonOptions,
): Workers<SitePair, ComparedSite> {
  const both = (): readonly [FleetOnDisk, FleetOnDisk] => {
    // Without a fleet before, all sites are added, and only the side after is read.
    const first = before ?? after;
    if (first === undefined || after === undefined)
      throw new Error('internal error: no fleet with sites to compare');
    return [first, after];
  };
  return workersFor(
    { items, jobs: options.jobs },
    () => {
      const [earlier, later] = both();
      const optionsOf = (place: FleetOnDisk): ReviewOptions => reviewOptions(place.read, place, options);
      return { task: 'compare', order: [optionsOf(earlier), optionsOf(later)] };
    },
    () => {
      const [earlier, later] = both();
      return siteComparer([siteSourcesOf(earlier.read), siteSourcesOf(later.read)], offlineOption(options));
    },
  );
}

function comparedTrees(
  [before, after]: Sides,
  isSelected: SiteFilter,
  options: ComparisonOptions,
): ComparedSources {
  const [earlier, later] = [treeIn(before, isSelected), treeIn(after, isSelected)];
  if (earlier.sites.size + later.sites.size === 0) return { problems: problemsOf(noMatchingSite(options)) };
  return { problems: [], found: compareSharedTrees(earlier, later), isOfTrees: true };
}

function treeIn(place: ReviewSource, isSelected: SiteFilter): SharedTree {
  if (place.kind !== 'tree') return { sites: new Map(), common: {}, parts: [], constants: {} };
  const sites = [...place.tree.sites].filter(([name]) => isSelected(name));
  return { ...place.tree, sites: new Map(sites) };
}
