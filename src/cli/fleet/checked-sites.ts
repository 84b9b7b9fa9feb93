import type { FleetProblem } from '../../fleet/problems/index.js';
import { checkSites, type SitesToCheck } from '../../fleet/review/index.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { siteProgress } from '../progress.js';

/** Checks every site of a fleet as `create` would, and shows the progress. Problems: those of `checkFleet`. */
export async function checkedSites(
  options: GlobalOptions & AioOptions,
  sites: Pick<SitesToCheck, 'opened' | 'jobs' | 'isFipsHost'>,
  surroundings: Surroundings,
): Promise<readonly FleetProblem[]> {
  const { dir, offlineFiles } = options;
  const progress = siteProgress(options, sites.opened.rows.length);
  try {
    return await checkSites({
      ...sites,
      ...{ dir, surroundings, onSite: progress.onSite },
      ...(offlineFiles !== undefined && { offlineFiles }),
    });
  } finally {
    progress.done();
  }
}
