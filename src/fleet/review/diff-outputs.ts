import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import type { AgeKeys } from '../../formats/age.js';
import type { Sheet } from '../../review/sheet/sheet.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { withMachine } from './boot-differences.js';
import type { ComparisonOptions } from './comparison-options.js';
import { neededStdin } from '../build/fleet-options.js';
import { withSecrets } from '../table/site-secrets.js';
import { noMatchingSite } from '../table/site-selection.js';
import { fleetAround, type OutputsPlace } from './fleet-around.js';
import type { FleetDifferences } from './grouped-differences.js';
import { compareOutputs, outputsComparer, type ComparedItem } from './outputs/compare-outputs.js';
import {
  outputsReaders,
  sideOfFleet,
  sideOnDisk,
  type CompareOutputsOptions,
  type OutputsSide,
} from './outputs/outputs-sides.js';
import { valuesOf, type SiteValues } from '../table/site-placeholders.js';
import { pairNames } from './paired-names.js';
import { secretVariables } from './secret-variables.js';
import { siteOptions } from '../build/fleet-request.js';
import { secretAccess } from '../table/site-secrets.js';
import { workersFor } from '../threads/workers.js';

/** The result of a comparison. `found` contains the differences of all readable sites, even if others have problems. */
export interface ComparedPlaces {
  readonly problems: readonly Problem[];
  readonly found?: FleetDifferences;
}

/** Compares existing outputs with others, or with the outputs that `fleet create` would write now. */
export async function diffOutputs(
  before: OutputsPlace,
  after: OutputsPlace,
  isSelected: (site: string) => boolean,
  options: ComparisonOptions,
): Promise<ComparedPlaces> {
  const { access, jobs, shown } = options;
  const keys = await access.keys();
  if (!keys.ok) return { problems: keys.problems };
  const [first, second] = [
    await withNeededSecrets(before, { isSelected, options }),
    await withNeededSecrets(after, { isSelected, options }),
  ];
  const [earlier, later] = [
    sideOf(first, second, { options, isSelected, keys: keys.value }),
    sideOf(second, first, { options, isSelected, keys: keys.value }),
  ];
  const count = Math.max(earlier.sites.length, later.sites.length);
  if (count === 0) return { problems: problemsOf(noMatchingSite(options)) };
  const screen = options.showProgress(count, 'comparing sites');
  const paired = pairNames(earlier.sites, later.sites);
  const order: CompareOutputsOptions = { keys: keys.value, sides: [earlier.order, later.order] };
  const workers = workersFor(
    { items: paired.both.length + paired.added.length, jobs },
    () => ({ task: 'compare-outputs', order }),
    () => outputsComparer(outputsReaders(order)),
  );
  const { found, problems } = await compareOutputs(paired, {
    workers,
    siteOf: earlier.siteOf ?? later.siteOf ?? ((name) => ({ name })),
    ...(second.kind === 'fleet' && { completed: completedIn(second.read) }),
    valuesOf: valuesIn([before, after], options.dir),
    onSite: screen.onSite,
  }).finally(workers.close);
  screen.done();
  const placed = [before, after].flatMap((place) => (place.kind === 'fleet' ? place.placed : []));
  return { found, problems: placed.reduce((all, place) => all.map(place), shown(problems, count)) };
}

function completedIn(read: LoadedFleet): (sheet: Sheet, site: ComparedItem) => Sheet {
  const complete = withMachine(read);
  return (sheet, { row }) => (row === undefined ? sheet : complete(sheet, row));
}

interface Means {
  readonly isSelected: (site: string) => boolean;
  readonly options: ComparisonOptions;
  readonly keys: AgeKeys;
}

/** Adds the secrets of the sites, which their outputs contain. */
async function withNeededSecrets(
  place: OutputsPlace,
  { isSelected, options }: Pick<Means, 'isSelected' | 'options'>,
): Promise<OutputsPlace> {
  if (place.kind === 'outputs') return place;
  const rows = place.read.rows.filter(({ name }) => isSelected(name));
  return {
    ...place,
    read: await withSecrets(
      { ...place.read, rows },
      { ...secretAccess({ ...options, dir: place.dir }, options.showProgress), jobs: options.jobs },
    ),
  };
}

/** The fleet side contains the outputs that it would write to the folder of the other side. */
function sideOf(place: OutputsPlace, other: OutputsPlace, { options, isSelected, keys }: Means): OutputsSide {
  if (place.kind === 'outputs') return sideOnDisk(place.dir, isSelected);
  if (other.kind !== 'outputs') throw new Error('internal error: two fleets are compared as outputs');
  const { read, dir } = place;
  const { surroundings } = options;
  const access = { keys, ...neededStdin(read, surroundings.stdin) };
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
