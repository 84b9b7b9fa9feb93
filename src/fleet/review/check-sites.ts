import type { Surroundings } from '../../run/effects/surroundings.js';
import { workersFor } from '../threads/workers.js';
import { checkFleet, type LoadedFleet } from '../table/check-fleet.js';
import { siteSourcesOf } from '../table/check-site-files.js';
import type { FleetProblem } from '../problems/grouped-problems.js';
import { dryRunCheck } from './dry-run-check.js';
import { offlineOption, reviewOptions } from './review-options.js';

export interface SitesToCheck {
  readonly opened: LoadedFleet;
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly offlineFiles?: string;
  readonly surroundings: Surroundings;
  /** Whether this host is in FIPS mode; undefined if the sites are generated on another host. */
  readonly isFipsHost?: boolean;
  /** Threads. */
  readonly jobs: number;
  /** Called with the number of checked sites. */
  readonly onSite: (checked: number) => void;
}

/** Checks every site of a fleet as `create` would. Problems: those of `checkFleet`. */
export async function checkSites({
  opened,
  dir,
  jobs,
  onSite,
  isFipsHost,
  ...inputs
}: SitesToCheck): Promise<readonly FleetProblem[]> {
  const { surroundings } = inputs;
  const host = isFipsHost !== undefined && { isFipsHost };
  const workers = workersFor(
    { items: opened.rows.length, jobs },
    () => ({ task: 'judge', order: { ...reviewOptions(opened, { dir }, inputs), ...host } }),
    () =>
      dryRunCheck(
        siteSourcesOf(opened),
        { present: surroundings.present(), variables: surroundings.variables, ...host },
        offlineOption(inputs),
      ),
  );
  try {
    return await checkFleet(opened, { judge: workers.run, atOnce: workers.atOnce, onSite });
  } finally {
    await workers.close();
  }
}
