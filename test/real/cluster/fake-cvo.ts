import { setTimeout as pause } from 'node:timers/promises';

import type { LiveApi } from './live-api.js';

/** One thing that the cluster version operator does with a requested release. The last step stays in force. */
export type CvoStep =
  | { readonly kind: 'retrieving' | 'accept' | 'complete' }
  | { readonly kind: 'refuse'; readonly reason: string; readonly cause: string }
  | { readonly kind: 'failing' | 'progress'; readonly message: string }
  /** Something outside of the operator, such as a restart of the API. */
  | { readonly kind: 'run'; readonly run: () => Promise<void> };

export interface Release {
  readonly image: string;
  readonly version: string;
}

interface HistoryEntry extends Release {
  readonly state: 'Completed' | 'Partial';
  readonly startedTime: string;
  readonly completionTime: string | null;
  readonly verified: boolean;
}

interface ClusterVersion {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly desiredUpdate?: { readonly image?: string } };
}

export interface FakeCvo {
  /** Images in the requests, in their order. */
  readonly requested: readonly string[];
  stop(): Promise<void>;
}

const since = '2026-01-02T03:04:05Z';

/**
 * Changes the status of the ClusterVersion as the operator does. A rejected release leaves history and status.desired as they are; an
 * accepted one becomes a Partial entry at the start of the history.
 * Source: openshift/cluster-version-operator pkg/cvo/status.go (updateClusterVersionStatus, mergeOperatorHistory), sync_worker.go (syncPayload)
 */
export function fakeCvo(
  api: LiveApi,
  installed: Release,
  stepsFor: (image: string) => { readonly version: string; readonly steps: readonly CvoStep[] },
): FakeCvo {
  const stop = new AbortController();
  const requested: string[] = [];
  let [current, history] = [installed, [entryOf(installed, 'Completed')]];
  let target = installed.image;
  let [plan, index] = [undefined as ReturnType<typeof stepsFor> | undefined, 0];
  let conditions = conditionsOf({ accepted: ['True', `Payload loaded image="${installed.image}"`] });

  const sync = async (): Promise<void> => {
    const object = JSON.parse(
      await api.kubectl(['get', 'clusterversion', 'version', '-o', 'json']),
    ) as ClusterVersion;
    const wanted = object.spec.desiredUpdate?.image ?? current.image;
    if (wanted !== target) {
      target = wanted;
      plan = wanted === current.image ? undefined : stepsFor(wanted);
      index = 0;
      if (plan) requested.push(wanted);
      else conditions = conditionsOf({ accepted: ['True', `Payload loaded image="${wanted}"`] });
    }
    const step = plan?.steps[Math.min(index, plan.steps.length - 1)];
    const isNew = plan !== undefined && index < plan.steps.length;
    if (step && isNew) {
      if (step.kind === 'run') {
        await step.run();
        index += 1;
        return;
      }
      take(step, plan?.version ?? '');
    }
    const status = {
      observedGeneration: object.metadata.generation,
      desired: current,
      history,
      versionHash: 'hash',
      availableUpdates: [],
      conditions,
    };
    // A merge patch would remove the null of completionTime.
    await api.kubectl(['replace', '--subresource=status', '-f', '-'], { ...object, status });
    if (isNew) index += 1;
  };

  const take = (step: Exclude<CvoStep, { kind: 'run' }>, version: string): void => {
    const named = `version="" image="${target}"`;
    switch (step.kind) {
      case 'retrieving':
        conditions = conditionsOf({ accepted: ['Unknown', `Retrieving and verifying payload ${named}`] });
        break;
      case 'refuse':
        conditions = conditionsOf({
          accepted: ['False', `${step.reason} ${named} failure=${step.cause}`],
        });
        break;
      case 'accept':
        // The write of the status may have failed before.
        if (current.image === target) break;
        current = { image: target, version };
        history = [entryOf(current, 'Partial'), ...history];
        conditions = conditionsOf({ progressing: ['True', `Working towards ${version}`] });
        break;
      case 'progress':
        conditions = conditionsOf({ progressing: ['True', step.message] });
        break;
      case 'failing':
        conditions = conditionsOf({
          progressing: ['True', `Unable to apply ${version}: ${step.message}`],
          failing: ['True', step.message],
        });
        break;
      case 'complete':
        history = [entryOf(current, 'Completed'), ...history.slice(1)];
        conditions = conditionsOf({});
    }
  };

  const running = (async () => {
    while (!stop.signal.aborted) {
      // The API may be down; the operator tries again.
      await sync().catch(() => undefined);
      await pause(150);
    }
  })();
  return {
    requested,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

function entryOf(release: Release, state: HistoryEntry['state']): HistoryEntry {
  return {
    ...release,
    state,
    startedTime: since,
    completionTime: state === 'Completed' ? since : null,
    verified: true,
  };
}

type State = readonly [status: 'True' | 'False' | 'Unknown', message: string];

function conditionsOf({
  accepted = ['True', 'Payload loaded'],
  progressing = ['False', 'Cluster version is settled'],
  failing = ['False', ''],
}: {
  readonly accepted?: State;
  readonly progressing?: State;
  readonly failing?: State;
}): readonly object[] {
  const states = {
    Available: ['True', 'Done applying'],
    ReleaseAccepted: accepted,
    Progressing: progressing,
    Failing: failing,
  } as const;
  return Object.entries(states).map(([type, [status, message]]) => ({
    type,
    status,
    message,
    reason: 'AsSet',
    lastTransitionTime: since,
  }));
}
