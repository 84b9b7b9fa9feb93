import type { Problem, ProblemCode } from '../../core/problem.js';
import type { Result } from '../../core/result.js';
import type { SiteWaiter } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import type { TargetRelease } from '../../remote/kubernetes/upgrade/cluster-version.js';
import { upgradeComplete } from '../../remote/kubernetes/upgrade/upgrade-complete.js';
import { requestWithdrawn, upgradeRequested } from '../../remote/kubernetes/upgrade/upgrade-request.js';
import type { Goal, WaitResult } from '../../remote/kubernetes/wait.js';
import type { SiteOperation, SiteOutcome } from '../rollout/run-rollout.js';

export interface UpgradeOperation {
  readonly target: TargetRelease;
  /** Opens the kubeconfig of a site. Sends no request. */
  readonly connect: (site: string) => Promise<Result<ClusterClient>>;
  readonly wait: SiteWaiter<ClusterClient>;
  /** Receives the warnings of the checks before a request. */
  readonly onWarnings: (site: string, warnings: readonly Problem[]) => void;
}

/** How long a site may take to answer and to accept the request, and to take it back. */
const [requestTimeoutMs, withdrawTimeoutMs] = [10 * 60_000, 2 * 60_000];

/** Failures after which the request can still be there. Without an answer of the API it cannot be withdrawn. */
const leavesRequest: readonly string[] = [
  'upgrade/refused',
  'upgrade/incomplete',
] satisfies readonly ProblemCode[];

/** Requests the release and waits until the cluster has it. A request that was not accepted is withdrawn. */
export function upgradeOperation({ target, connect, wait, onWarnings }: UpgradeOperation): SiteOperation {
  const waitAt = (name: string, goal: Goal<ClusterClient>, how: SiteWait): Promise<WaitResult> =>
    wait({ name, goal, connect: () => connect(name) }, { onStatus: () => undefined, ...how });
  return {
    start: async (site, stop) => {
      const outcome = await waitAt(site, upgradeRequested(target), { timeoutMs: requestTimeoutMs, stop });
      if (outcome.kind === 'reached') onWarnings(site, outcome.warnings);
      return outcomeOf(outcome);
    },
    wait: async (site, stop, timeoutMs, onStatus) => {
      const outcome = await waitAt(site, upgradeComplete(target), { timeoutMs, stop, onStatus });
      if (outcome.kind !== 'failed' || !outcome.problems.some(({ code }) => leavesRequest.includes(code)))
        return outcomeOf(outcome);
      const withdrawn = await waitAt(site, requestWithdrawn(target), { timeoutMs: withdrawTimeoutMs, stop });
      const more = withdrawn.kind === 'failed' ? withdrawn.problems : [];
      return outcomeOf({ ...outcome, problems: [...outcome.problems, ...more] });
    },
  };
}

interface SiteWait {
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  readonly onStatus?: (text: string) => void;
}

function outcomeOf(waitResult: WaitResult): SiteOutcome {
  switch (waitResult.kind) {
    case 'reached':
      return { ok: true };
    case 'stopped':
      return { ok: false, cause: 'stopped', isStopped: true };
    case 'failed':
      return { ok: false, cause: waitResult.problems.map(({ message }) => message).join('; ') };
  }
}
