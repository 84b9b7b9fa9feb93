import type { ComparisonOptions } from '../../../fleet/review/index.js';
import type { Surroundings } from '../../../run/effects/surroundings.js';
import { processSurroundings } from '../../surroundings.js';
import { siteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { shownProblems } from '../print-fleet-problems.js';
import type { ComparingFleet } from './review-options.js';

/** Adds the progress line, the keys and the form of problems to the options of a comparison. */
export function comparisonOptions(
  options: ComparingFleet,
  { jobs, stdin }: Pick<ComparisonOptions, 'jobs'> & Pick<Surroundings, 'stdin'>,
): ComparisonOptions {
  const { dir, only, where, offlineFiles, allowCommands } = options;
  return {
    ...{ dir, only, where, jobs },
    surroundings: processSurroundings(stdin),
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(allowCommands && { allowCommands }),
    access: stateAccess(options),
    shown: shownProblems(options),
    showProgress: (total, doing) => siteProgress(options, total, process.stderr, doing),
  };
}
