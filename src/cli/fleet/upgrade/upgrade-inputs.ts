import { parseTarget, resolveTarget } from '../../../fleet/upgrade/index.js';
import { openRollout, type OpenedRollout } from '../../../fleet/rollout/index.js';
import type { LoadedFleet } from '../../../fleet/table/index.js';
import { showSiteProgress } from '../../progress.js';
import { processSurroundings } from '../../surroundings.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { problem } from '../../../core/problem.js';
import type { TargetRelease } from '../../../remote/kubernetes/upgrade/cluster-version.js';
import type { GlobalOptions } from '../../options.js';
import { openFleetOf } from '../open-fleet.js';
import type { RolloutOptions } from '../rollout/rollout-options.js';
import { fleetWaitLimits } from '../wait/fleet-wait-options.js';

export interface UpgradeOptions extends RolloutOptions {
  readonly to: string;
  readonly preflight?: true;
  readonly jobs: string;
  readonly trustKubeconfig?: true;
}

export interface UpgradeInputs {
  readonly opened: LoadedFleet;
  readonly target: TargetRelease;
  readonly jobs: number;
  /** Absent with `--preflight`, which needs no plan. */
  readonly rollout?: OpenedRollout;
}

/** Reads all inputs before any cluster is contacted. Problems: those of the fleet, of `openRollout` and of `resolveTarget`. */
export async function upgradeInputs(options: GlobalOptions & UpgradeOptions): Promise<Result<UpgradeInputs>> {
  if (options.preflight === true && options.dryRun === true) {
    const message = '--preflight and --dry-run cannot be combined';
    return failure(problem('usage/conflicting-options', message, { hint: 'remove one of them' }));
  }
  const to = parseTarget(options.to);
  const limits = fleetWaitLimits({ timeout: '1m', jobs: options.jobs });
  const opened = openFleetOf(options);
  if (!to.ok || !limits.ok || !opened.ok) return failure(...[to, limits, opened].flatMap(problemsOf));
  const readable =
    options.preflight === true ? success(undefined) : openRollout(options, 'upgrade', opened.value);
  if (!readable.ok) return readable;
  const target = await resolveTarget(
    { ...options, surroundings: processSurroundings(), showProgress: showSiteProgress(options) },
    opened.value,
    to.value,
  );
  if (!target.ok) return target;
  const rollout =
    options.preflight === true
      ? success(undefined)
      : openRollout(options, 'upgrade', opened.value, target.value.image);
  if (!rollout.ok) return rollout;
  return success({
    opened: opened.value,
    target: target.value,
    jobs: limits.value.jobs,
    ...(rollout.value && { rollout: rollout.value }),
  });
}
