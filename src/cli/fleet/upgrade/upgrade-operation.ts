import type { Problem, ProblemCode } from '../../../core/problem.js';
import type { Result } from '../../../core/result.js';
import type { SiteWaiter } from '../../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import type { TargetRelease } from '../../../remote/kubernetes/upgrade/cluster-version.js';
import { upgradeComplete } from '../../../remote/kubernetes/upgrade/upgrade-complete.js';
import { requestWithdrawn, upgradeRequested } from '../../../remote/kubernetes/upgrade/upgrade-request.js';
import type { Goal, WaitResult } from '../../../remote/kubernetes/wait.js';
import type { SiteOperation, SiteOutcome } from '../../../fleet/rollout/run-rollout.js';

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
      const ended = await waitAt(site, upgradeRequested(target), { timeoutMs: requestTimeoutMs, stop });
      if (ended.kind === 'reached') onWarnings(site, ended.warnings);
      return outcomeOf(ended);
    },
    wait: async (site, stop, timeoutMs, onStatus) => {
      const ended = await waitAt(site, upgradeComplete(target), { timeoutMs, stop, onStatus });
      if (ended.kind !== 'failed' || !ended.problems.some(({ code }) => leavesRequest.includes(code)))
        return outcomeOf(ended);
      const withdrawn = await waitAt(site, requestWithdrawn(target), { timeoutMs: withdrawTimeoutMs, stop });
      const more = withdrawn.kind === 'failed' ? withdrawn.problems : [];
      return outcomeOf({ ...ended, problems: [...ended.problems, ...more] });
    },
  };
}

interface SiteWait {
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  readonly onStatus?: (text: string) => void;
}

function outcomeOf(ended: WaitResult): SiteOutcome {
  switch (ended.kind) {
    case 'reached':
      return { ok: true };
    case 'stopped':
      return { ok: false, cause: 'stopped', isStopped: true };
    case 'failed':
      return { ok: false, cause: ended.problems.map(({ message }) => message).join('; ') };
  }
}
