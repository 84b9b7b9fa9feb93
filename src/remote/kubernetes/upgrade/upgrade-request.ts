import type { Problem } from '../../../core/problem.js';
import { problem } from '../../../core/problem.js';
import { isSuccess, rejectionOf } from '../apply/api-answer.js';
import { fieldManager } from '../apply/object-to-apply.js';
import type { ClusterClient } from '../reader.js';
import type { CheckResult, Goal } from '../wait.js';
import { clusterVersionView, isRelease, type TargetRelease } from './cluster-version.js';
import { upgradePreflight } from './upgrade-preflight.js';

const path = '/apis/config.openshift.io/v1/clusterversions/version';

/**
 * The cluster has the request for the release. It is written only after all checks of `upgradePreflight`, and only if the ClusterVersion
 * did not change since. Problems: those of `upgradePreflight`, upgrade/not-ready.
 */
export function upgradeRequested(target: TargetRelease): Goal<ClusterClient> {
  return {
    outage: 'expected while it restarts',
    look: (client) => request(client, target),
    overdue: (message) => Promise.resolve([problem('upgrade/not-ready', `timed out: ${message}`)]),
  };
}

async function request(client: ClusterClient, target: TargetRelease): Promise<CheckResult> {
  const found = await upgradePreflight(client, target);
  switch (found.kind) {
    case 'fault':
      return found;
    case 'refused':
      return { kind: 'hopeless', problems: found.problems };
    case 'requested':
      return { kind: 'reached', facts: {}, warnings: [] };
    case 'ready': {
      // A request by version or architecture, or of the mode Preflight, would contradict the image.
      const desiredUpdate = {
        image: target.image,
        force: false,
        version: null,
        architecture: null,
        mode: null,
      };
      const { resourceVersion } = found.view;
      const refused = await change(client, { metadata: { resourceVersion }, spec: { desiredUpdate } });
      return refused ?? { kind: 'reached', facts: {}, warnings: found.warnings };
    }
  }
}

/** Undefined if the API accepted the change. */
async function change(
  { send }: Pick<ClusterClient, 'send'>,
  merge: object,
): Promise<CheckResult | undefined> {
  const answer = await send({ path, query: { fieldManager }, merge });
  if (answer.kind === 'fault') return answer;
  if (isSuccess(answer)) return undefined;
  const text = rejectionOf(answer, 'ClusterVersion');
  if (answer.status === 409 || answer.status >= 500)
    return { kind: 'waiting', message: `the API did not accept the request: ${text}` };
  return {
    kind: 'hopeless',
    problems: [problem('upgrade/not-ready', `the API rejected the request: ${text}`)],
  };
}

/**
 * The request is gone, unless the version operator accepted it: then the upgrade goes on. Without this, a request that the operator
 * rejects now would start at any later time. Same as `oc adm upgrade --clear`.
 */
export function requestWithdrawn(target: TargetRelease): Goal<ClusterClient> {
  return {
    outage: 'expected while it restarts',
    look: async (client) => {
      const reading = await client.clusterVersion();
      if (reading.kind === 'fault') return reading;
      const view = reading.kind === 'found' ? clusterVersionView(reading.object) : undefined;
      const isOpen =
        view !== undefined && isRelease(view.requested, target) && !isRelease(view.newest?.image, target);
      if (!isOpen) return { kind: 'reached', facts: {}, warnings: [] };
      const { resourceVersion } = view;
      const refused = await change(client, { metadata: { resourceVersion }, spec: { desiredUpdate: null } });
      return refused ?? { kind: 'reached', facts: {}, warnings: [] };
    },
    overdue: (message): Promise<readonly Problem[]> =>
      Promise.resolve([problem('upgrade/refused', `the request could not be withdrawn: ${message}`)]),
  };
}
