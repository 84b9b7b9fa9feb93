import {
  compareSources,
  openAtRevision,
  openOnDisk,
  type ComparisonOptions,
} from '../../../fleet/review/index.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { usageError } from '../../usage-error.js';
import { parseJobs } from '../jobs-option.js';
import { reportFleetDifferences } from './report-fleet-differences.js';
import type { ComparingFleet, FleetDiffOptions } from './review-options.js';
import type { Surroundings } from '../../../run/effects/surroundings.js';
import { processSurroundings } from '../../surroundings.js';
import { showSiteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { shownProblems } from '../print-fleet-problems.js';

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
    ? await compareSources(before.value, after.value, comparisonOptions(options, { jobs, stdin }))
    : { problems: [before, after].flatMap((each) => (each.ok ? [] : each.problems)) };
  reportFleetDifferences(
    { ...options, dir: '.' },
    {
      ...compared,
      ...(compared.isOfTrees && { note: onlyTrees }),
      isOfSheets: options.sheet === true,
      // Warnings of the old side are not relevant to the change.
      problems: [...(isRead ? after.warnings : []), ...compared.problems],
      what: against === undefined ? `${first} and ${second}` : `${first} against ${against}`,
    },
  );
}

const onlyTrees =
  'Only the trees were compared. `sno-install fleet golden --check` shows whether a tree matches its fleet.';

/** Adds the progress line, the keys and the form of problems to the options of a comparison. */
function comparisonOptions(
  options: Options,
  { jobs, stdin }: Pick<ComparisonOptions, 'jobs'> & Pick<Surroundings, 'stdin'>,
): ComparisonOptions {
  const { dir, only, where, offlineFiles, allowCommands, sheet } = options;
  return {
    isOfSheets: sheet === true,
    ...{ dir, only, where, jobs },
    surroundings: processSurroundings(stdin),
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(allowCommands && { allowCommands }),
    access: stateAccess(options),
    shown: shownProblems(options),
    showProgress: showSiteProgress(options),
  };
}
