import { dirname } from 'node:path';

import type { Problem } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import type { AgeKeys } from '../../../formats/age.js';
import type { LoadedFleet } from '../../../fleet/check-fleet.js';
import { neededStdin } from '../../../fleet/build/fleet-options.js';
import { openFleet } from '../../../fleet/read-fleet.js';
import { withSecrets } from '../../../fleet/site-secrets.js';
import { noMatchingSite } from '../../../fleet/site-selection.js';
import type { ReviewSource } from '../../../fleet/review/review-source.js';
import type { FleetDifferences } from '../../../fleet/review/grouped-differences.js';
import { compareOutputs, outputsComparer } from '../../../fleet/review/outputs/compare-outputs.js';
import {
  outputsReaders,
  sideOfFleet,
  sideOnDisk,
  type CompareOutputsOptions,
  type OutputsSide,
} from '../../../fleet/review/outputs/outputs-sides.js';
import { valuesOf, type SiteValues } from '../../../fleet/review/site-placeholders.js';
import { pairNames } from '../../../fleet/review/paired-names.js';
import { secretVariables } from '../../../fleet/review/secret-variables.js';
import { siteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { siteOptions } from '../fleet-request.js';
import { secretAccess } from '../site-access-options.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { workersFor } from '../../../run/threads/workers.js';
import type { ComparingFleet } from './review-options.js';

/** Outputs of sites in a folder, or a fleet that would generate them. */
export type OutputsPlace = Extract<ReviewSource, { readonly kind: 'outputs' | 'fleet' }>;

/** The result of a comparison. `found` contains the differences of all readable sites, even if others have problems. */
export interface ComparedPlaces {
  readonly problems: readonly Problem[];
  readonly found?: FleetDifferences;
}

/** Compares existing outputs with others, or with the outputs that `fleet create` would write now. */
export async function diffOutputs(
  before: OutputsPlace,
  after: OutputsPlace,
  {
    jobs,
    isSelected,
    options,
  }: {
    readonly jobs: number;
    readonly isSelected: (site: string) => boolean;
    readonly options: ComparingFleet;
  },
): Promise<ComparedPlaces> {
  const keys = await stateAccess(options).keys();
  if (!keys.ok) return { problems: keys.problems };
  const [first, second] = [
    await filled(before, { jobs, isSelected, options }),
    await filled(after, { jobs, isSelected, options }),
  ];
  const [earlier, later] = [
    sideOf(first, second, { options, isSelected, keys: keys.value }),
    sideOf(second, first, { options, isSelected, keys: keys.value }),
  ];
  const count = Math.max(earlier.sites.length, later.sites.length);
  if (count === 0) return { problems: problemsOf(noMatchingSite(options)) };
  const screen = siteProgress(options, count, process.stderr, 'comparing sites');
  const paired = pairNames(earlier.sites, later.sites);
  const order: CompareOutputsOptions = { keys: keys.value, sides: [earlier.order, later.order] };
  const workers = workersFor(
    { items: paired.both.length, jobs },
    () => ({ task: 'compare-outputs', order }),
    () => outputsComparer(outputsReaders(order)),
  );
  const { found, problems } = await compareOutputs(paired, {
    workers,
    siteOf: earlier.siteOf ?? later.siteOf ?? ((name) => ({ name })),
    valuesOf: valuesIn([before, after], options.dir),
    onSite: screen.onSite,
  }).finally(workers.close);
  screen.done();
  const shown = fleetProblemsShown(options, problems, count);
  const placed = [before, after].flatMap((place) => (place.kind === 'fleet' ? place.placed : []));
  return { found, problems: placed.reduce((all, place) => all.map(place), shown) };
}

interface Means {
  readonly isSelected: (site: string) => boolean;
  readonly options: ComparingFleet;
  readonly keys: AgeKeys;
}

/** Adds the secrets of the sites, which their outputs contain. */
async function filled(
  place: OutputsPlace,
  {
    jobs,
    isSelected: isSelected,
    options,
  }: Pick<Means, 'isSelected' | 'options'> & { readonly jobs: number },
): Promise<OutputsPlace> {
  if (place.kind === 'outputs') return place;
  const rows = place.read.rows.filter(({ name }) => isSelected(name));
  return {
    ...place,
    read: await withSecrets(
      { ...place.read, rows },
      { ...secretAccess({ ...options, dir: place.dir }), jobs },
    ),
  };
}

/** The fleet side contains the outputs that it would write to the folder of the other side. */
function sideOf(
  place: OutputsPlace,
  other: OutputsPlace,
  { options, isSelected: isSelected, keys }: Means,
): OutputsSide {
  if (place.kind === 'outputs') return sideOnDisk(place.dir, isSelected);
  if (other.kind !== 'outputs') throw new Error('internal error: two fleets are compared as outputs');
  const { read, dir } = place;
  const access = { keys, ...neededStdin(read, standardInput()) };
  const order = siteOptions({ ...options, dir }, read, access);
  return sideOfFleet(read, { dir: other.dir, order, isSelected });
}

/**
 * Returns the table values of each site, from the compared fleet or from the fleet around the outputs. Without a fleet, returns
 * only the site name.
 */
function valuesIn(places: readonly OutputsPlace[], dir: string): (site: string) => SiteValues {
  const read = fleetAround(places, dir);
  const secret = read === undefined ? new Set<string>() : secretVariables(read);
  const rows = new Map((read?.rows ?? []).map((row) => [row.name, valuesOf(row, secret)]));
  return (site) => rows.get(site) ?? new Map([['name', site]]);
}

/** The compared fleet, or the fleet in the working directory or around the outputs. */
export function fleetAround(places: readonly OutputsPlace[], dir: string): LoadedFleet | undefined {
  const compared = places.find((place) => place.kind === 'fleet');
  if (compared !== undefined) return compared.read;
  const folders = [dir, ...places.flatMap((place) => (place.kind === 'outputs' ? [dirname(place.dir)] : []))];
  return folders
    .map((folder) => openFleet(folder))
    .flatMap((opened) => (opened.ok ? [opened.value] : []))
    .at(0);
}
