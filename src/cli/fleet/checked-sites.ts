import type { Stdin } from '../../disk/external-files/standard-input.js';
import type { FleetProblem } from '../../fleet/grouped-problems.js';
import { checkFleet, type LoadedFleet } from '../../fleet/check-fleet.js';
import { siteSourcesOf } from '../../fleet/check-site-files.js';
import { dryRunCheck } from '../../fleet/review/dry-run-check.js';
import { workersFor } from '../../run/threads/workers.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { siteProgress } from '../progress.js';
import { offlineOption, reviewOptions } from './review-options.js';

export interface SitesToCheck {
  readonly opened: LoadedFleet;
  readonly stdin: Stdin;
  readonly jobs: number;
  /** Whether this host is in FIPS mode; undefined if the sites are generated on another host. */
  readonly isFipsHost?: boolean;
}

/** Checks every site of a fleet as `create` would, and shows the progress. Problems: those of `checkFleet`. */
export async function checkedSites(
  options: GlobalOptions & AioOptions,
  { opened, stdin, jobs, ...host }: SitesToCheck,
): Promise<readonly FleetProblem[]> {
  const { dir } = options;
  const { length } = opened.rows;
  const screen = siteProgress(options, length);
  const workers = workersFor(
    { items: length, jobs },
    () => ({ task: 'judge', order: { ...reviewOptions(opened, { dir }, { ...options, stdin }), ...host } }),
    () =>
      dryRunCheck(
        siteSourcesOf(opened),
        { present: new Date(), variables: process.env, ...host },
        offlineOption(options),
      ),
  );
  const { run, atOnce } = workers;
  try {
    return await checkFleet(opened, { judge: run, atOnce, onSite: screen.onSite });
  } finally {
    screen.done();
    await workers.close();
  }
}
