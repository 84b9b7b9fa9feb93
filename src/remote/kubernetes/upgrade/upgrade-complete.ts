import { problem } from '../../../core/problem.js';
import { quoted } from '../../../core/quoted.js';
import { installComplete } from '../goals/install-complete.js';
import type { ClusterReader } from '../reader.js';
import type { CheckResult, Goal } from '../wait.js';
import {
  clusterVersionView,
  isRelease,
  type ClusterVersionView,
  type TargetRelease,
} from './cluster-version.js';

/**
 * How long the version operator may reject the release before the upgrade counts as refused. It checks again every few minutes, and a
 * pull or the download of a signature can fail once. Source: openshift/cluster-version-operator pkg/cvo/sync_worker.go
 * @internal
 */
export const refusalLimitMs = 10 * 60_000;

/**
 * The newest entry of the history is the release and Completed, and the cluster is settled as after an installation. An operator that is
 * Failing may go on, so it is only reported.
 * Problems: upgrade/refused, upgrade/superseded, upgrade/incomplete, those of `installComplete`.
 */
export function upgradeComplete(target: TargetRelease): Goal {
  let refusedSince: Date | undefined;
  return {
    outage: 'expected while it or the node restarts',
    look: async (reader, present) => {
      const reading = await reader.clusterVersion();
      if (reading.kind === 'fault') return reading;
      if (reading.kind === 'absent') return { kind: 'waiting', message: 'ClusterVersion does not exist' };
      const view = clusterVersionView(reading.object);
      if (!isRelease(view.newest?.image, target)) {
        const refusal = refusalOf(view, target);
        refusedSince = refusal === undefined ? undefined : (refusedSince ?? present);
        return beforeAcceptance(view, target, {
          refusal,
          lastedMs: present.getTime() - (refusedSince ?? present).getTime(),
        });
      }
      if (view.newest?.isComplete === true) return installComplete.look(reader, present);
      return { kind: 'waiting', message: progressOf(view) };
    },
    overdue: async (message, reader) => [
      problem('upgrade/incomplete', `timed out: ${message}`, {
        hint: 'check the named components; the upgrade continues in the meantime',
      }),
      ...(await unhealthy(reader)),
    ],
  };
}

async function unhealthy(reader: ClusterReader): ReturnType<Goal['overdue']> {
  const [, ...operators] = await installComplete.overdue('', reader);
  return operators;
}

/** Why the version operator rejects the request; undefined if it does not. An older status is about another release. */
function refusalOf(
  { isObserved, condition }: ClusterVersionView,
  { digest }: TargetRelease,
): string | undefined {
  if (!isObserved) return undefined;
  const [invalid, accepted] = [condition('Invalid'), condition('ReleaseAccepted', messageLength)];
  if (invalid.status === 'True') return invalid.message;
  const isOther = accepted.message.includes('@sha256:') && !accepted.message.includes(digest);
  return accepted.status === 'False' && !isOther ? shortened(accepted.message) : undefined;
}

/** The message repeats version and image before the cause. Source: pkg/cvo/sync_worker.go, syncPayload */
function shortened(message: string): string {
  const text = message.replace(/ version="[^"]*" image="[^"]*"/g, '').replace(' failure=', ': ');
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

const [messageLength, shownLength] = [4000, 500];

function beforeAcceptance(
  view: ClusterVersionView,
  target: TargetRelease,
  { refusal, lastedMs }: { readonly refusal: string | undefined; readonly lastedMs: number },
): CheckResult {
  if (!isRelease(view.requested, target)) {
    const other = view.requested === undefined ? 'removed' : `replaced by ${quoted(view.requested)}`;
    const message = `the request was ${other} before the version operator accepted it`;
    const hint = 'find out who changed spec.desiredUpdate, then run the command again';
    return { kind: 'hopeless', problems: [problem('upgrade/superseded', message, { hint })] };
  }
  if (refusal === undefined) {
    const { status, message } = view.condition('ReleaseAccepted', messageLength);
    const isNew = view.isObserved && status === 'Unknown';
    return {
      kind: 'waiting',
      message: isNew ? shortened(message) : 'the version operator has not read the request',
    };
  }
  if (lastedMs < refusalLimitMs) return { kind: 'waiting', message: `not accepted: ${refusal}` };
  const hint = 'fix the cause in the message, then run the command again with --retry-failed';
  return {
    kind: 'hopeless',
    problems: [
      problem('upgrade/refused', `the version operator does not accept the release: ${refusal}`, { hint }),
    ],
  };
}

function progressOf({ condition }: ClusterVersionView): string {
  const [failing, progressing] = [condition('Failing'), condition('Progressing')];
  const texts = [
    ...(failing.status === 'True' ? [`failing: ${failing.message}`] : []),
    ...(progressing.message === '' ? [] : [progressing.message]),
  ];
  return texts.length === 0 ? 'the update is partial' : `cluster version operator: ${texts.join('; ')}`;
}
