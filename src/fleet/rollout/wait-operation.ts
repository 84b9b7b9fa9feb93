import { join } from 'node:path';

import { isError, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Clock } from '../../core/clock.js';
import { filesOf } from '../table/check-site-files.js';
import { GroupedProblems, type ShownProblems } from '../problems/grouped-problems.js';
import type { RolloutCriterion } from './rollout-file.js';
import type { SiteOperation } from './run-rollout.js';
import { siteWaiter } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import type { Goal } from '../../remote/kubernetes/wait.js';
import { reportsPath } from '../../serve/reports/site-reports.js';
import { waitGoal } from '../../remote/kubernetes/goals/wait-goal.js';
import { nodeReportTexts } from '../wait/node-report-texts.js';
import { kubeconfigName, noKubeconfig, siteApi, type ApiAccess } from '../wait/site-api.js';
import { describeNodeReport } from '../wait/status-groups.js';
import { tokensPath } from '../serving/tokens-path.js';
import type { OpenedRollout } from './open-rollout.js';

/** Number of API servers to contact in parallel, as in `fleet wait-for`. */
const apiJobs = 256;

interface WaitSettings {
  readonly until: RolloutCriterion;
  readonly api: Omit<ApiAccess, 'stop'>;
  readonly tokens?: string;
  readonly dir: string;
  readonly clock: Clock;
  /** Adds a condition to the goal of a site. */
  readonly goalOf?: (goal: Goal, site: string) => Goal<ClusterClient>;
}

/** Waits for the API of a site. The cause of a failure contains the last report of the node. */
export function apiWait(
  { fleet, waves, outputs }: Pick<OpenedRollout, 'fleet' | 'waves' | 'outputs'>,
  { until, api, tokens, dir, clock, goalOf = (goal) => goal }: WaitSettings,
): SiteOperation['wait'] {
  const rows = new Map(fleet.rows.map((row) => [row.name, row]));
  const folders = fleet.rows.map(({ name }) => ({ name, dir: join(outputs, name) }));
  const reports = nodeReportTexts(
    reportsPath(tokensPath({ dir, ...(tokens !== undefined && { tokens }) }, fleet)),
    folders,
  );
  const largest = waves.waves.reduce((most, { sites }) => Math.max(most, sites.length), 1);
  const wait = siteWaiter<ClusterClient>({ clock, jobs: apiJobs, sites: largest });
  return async (name, stop, timeoutMs, onStatus) => {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`internal error: ${name} is not selected`);
    const outcome = await wait(
      {
        name,
        goal: goalOf(
          waitGoal(until, () => filesOf(fleet, row).inputs),
          name,
        ),
        connect: () => siteApi(join(outputs, name), { ...api, stop }),
      },
      { timeoutMs, stop, onStatus },
    );
    if (outcome.kind === 'reached') return { ok: true };
    if (outcome.kind === 'stopped') return { ok: false, cause: 'stopped', isStopped: true };
    const report = reports().get(name);
    const own = outcome.problems.find(isError)?.message ?? 'the criterion was not reached';
    return { ok: false, cause: report === undefined ? own : `${own}; ${describeNodeReport(report)}` };
  };
}

/** Checks that the kubeconfigs of all sites that will be awaited can be opened. Problems: fleet/not-made, those of decryption. */
export async function checkKubeconfigs(
  { waves, earlier, outputs }: Pick<OpenedRollout, 'waves' | 'earlier' | 'outputs'>,
  api: ApiAccess,
  shown: ShownProblems,
): Promise<Result<void>> {
  const found = new GroupedProblems();
  const names = waves.waves.flatMap(({ sites }) => sites);
  for (const name of names) {
    if (earlier?.sites.get(name)?.state === 'done') continue;
    found.add(name, await kubeconfigProblems(join(outputs, name), api));
  }
  const problems = found.list();
  if (problems.length === 0) return success(undefined);
  return failure(...shown(problems, names.length));
}

async function kubeconfigProblems(dir: string, api: ApiAccess): Promise<readonly Problem[]> {
  if (kubeconfigName(dir) === undefined) return [noKubeconfig()];
  const client = await siteApi(dir, api);
  return client.ok ? [] : client.problems;
}
