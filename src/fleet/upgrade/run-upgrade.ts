import { join } from 'node:path';

import { success, type Result } from '../../core/result.js';
import { siteWaiter } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import type { TargetRelease } from '../../remote/kubernetes/upgrade/cluster-version.js';
import { GroupedProblems, type ShownProblems } from '../problems/grouped-problems.js';
import { driveRollout, withProblems, type RolloutResult, type RolloutRun } from '../rollout/drive-rollout.js';
import type { OpenedRollout } from '../rollout/open-rollout.js';
import { siteApi, type ApiAccess } from '../wait/site-api.js';
import { upgradeOperation } from './upgrade-operation.js';

export interface Upgrade extends Pick<
  RolloutRun,
  'jobs' | 'stop' | 'clock' | 'sender' | 'retriesFailed' | 'onNotice'
> {
  readonly target: TargetRelease;
  readonly api: ApiAccess;
  readonly shown: ShownProblems;
}

/** Upgrades the clusters of a rollout in waves. The caller holds the lock of the output folder. Problems: those of `driveRollout`. */
export async function runUpgrade(
  rollout: OpenedRollout,
  { target, api, shown, ...run }: Upgrade,
): Promise<Result<RolloutResult>> {
  const found = new GroupedProblems();
  const largest = rollout.waves.waves.reduce((most, { sites }) => Math.max(most, sites.length), 1);
  const sites = upgradeOperation({
    target,
    connect: siteConnector(rollout.outputs, api),
    wait: siteWaiter({ clock: run.clock, jobs: run.jobs, sites: largest }),
    onWarnings: (site, warnings) => {
      found.add(site, warnings);
    },
  });
  const outcome = await driveRollout(rollout, { ...run, sites });
  const warnings = shown(found.list(), rollout.fleet.rows.length);
  return outcome.ok ? success(withProblems(outcome.value, warnings)) : outcome;
}

/** Connects to the API of a site with the kubeconfig in its outputs. */
export function siteConnector(
  outputs: string,
  api: ApiAccess,
): (site: string) => Promise<Result<ClusterClient>> {
  return (site) => siteApi(join(outputs, site), api);
}
