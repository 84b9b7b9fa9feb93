import { problem, type Problem } from '../../../core/problem.js';
import { fieldAt, listAt, textAt } from '../../../kube/fields.js';
import { byFullVersion, isSameMinor, type FullVersion } from '../../../release/full-version.js';
import { isRecord } from '../../../core/is-record.js';
import { isSuccess, rejectionOf } from '../apply/api-answer.js';
import { unhealthyOperators } from '../goals/install-complete.js';
import { noClusterVersion } from '../goals/no-cluster-version.js';
import type { ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import {
  clusterVersionView,
  isRelease,
  type ClusterVersionView,
  type TargetRelease,
} from './cluster-version.js';

/** Result of the checks of a cluster before an upgrade. */
export type UpgradePreflight =
  /** The cluster has the release, or upgrades to it. */
  | { readonly kind: 'requested'; readonly isComplete: boolean; readonly version?: string }
  | {
      readonly kind: 'ready';
      readonly from?: string;
      readonly warnings: readonly Problem[];
      readonly view: ClusterVersionView;
    }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'fault'; readonly fault: Fault };

/**
 * Checks a cluster as the cluster version operator and `oc adm upgrade` do, and changes nothing.
 * Source: openshift/cluster-version-operator pkg/payload/precondition/clusterversion; openshift/oc pkg/cli/admin/upgrade, checkForUpgrade
 * Problems: upgrade/not-ready, cluster/no-cluster-version; warning: upgrade/signature.
 */
export async function upgradePreflight(
  client: ClusterClient,
  target: TargetRelease,
): Promise<UpgradePreflight> {
  const reading = await client.clusterVersion();
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'absent') {
    const never = await noClusterVersion(reading, client);
    return { kind: 'refused', problems: [never ?? notReady('ClusterVersion does not exist yet', waitHint)] };
  }
  const view = clusterVersionView(reading.object);
  const { newest, desired } = view;
  if (isRelease(newest?.image, target)) {
    const version = newest?.version;
    const isComplete = newest?.isComplete === true;
    return { kind: 'requested', isComplete, ...(version !== undefined && { version }) };
  }
  if (isRelease(view.requested, target)) return { kind: 'requested', isComplete: false };
  const others = await checkRest(client, { view, target });
  if ('fault' in others) return { kind: 'fault', fault: others.fault };
  const problems = [...checkVersion(view), ...checkTarget(view, target), ...others.problems];
  if (problems.length > 0) return { kind: 'refused', problems };
  const from = desired.version?.text;
  return { kind: 'ready', view, warnings: others.warnings, ...(from !== undefined && { from }) };
}

function notReady(message: string, hint: string): Problem {
  return problem('upgrade/not-ready', message, { hint });
}

const waitHint = 'wait until the installation is complete';

/** The state of the cluster version operator. */
function checkVersion({ condition, newest }: ClusterVersionView): readonly Problem[] {
  const [invalid, failing, progressing] = [
    condition('Invalid'),
    condition('Failing'),
    condition('Progressing'),
  ];
  const isRunning = progressing.status === 'True' || newest?.isComplete === false;
  return [
    ...(invalid.status === 'True'
      ? [notReady(`ClusterVersion is invalid: ${invalid.message}`, 'correct spec of the ClusterVersion')]
      : []),
    ...(failing.status === 'True'
      ? [
          notReady(
            `the cluster version operator is Failing: ${failing.message}`,
            'fix the named component first',
          ),
        ]
      : []),
    ...(isRunning
      ? [
          notReady(
            `another update is running: ${progressing.message || (newest?.version ?? 'no details')}`,
            'wait until it is complete',
          ),
        ]
      : []),
  ];
}

/** Version of the target, from its tag or from the updates that the cluster offers. */
function targetVersion(
  { offered }: ClusterVersionView,
  { version, digest }: TargetRelease,
): FullVersion | undefined {
  return version ?? offered.get(digest);
}

function checkTarget(view: ClusterVersionView, target: TargetRelease): readonly Problem[] {
  const [from, to] = [view.desired.version, targetVersion(view, target)];
  const found: Problem[] = [];
  if (from && to && byFullVersion(to, from) < 0)
    found.push(notReady(`${to.text} is older than the current release ${from.text}`, 'name a newer release'));
  if (from && to && to.major === from.major && to.minor > from.minor + 1)
    found.push(
      notReady(
        `${to.text} is more than one minor release after the current release ${from.text}`,
        `upgrade to ${from.major}.${from.minor + 1} first`,
      ),
    );
  const upgradeable = view.condition('Upgradeable');
  if (upgradeable.status === 'False' && isMinorUpdate(from, to))
    found.push(notReady(`Upgradeable is False: ${upgradeable.message}`, minorHint(to)));
  return found;
}

/** Only updates to another minor release need Upgradeable and acknowledgements. A release of an unknown version may be one. */
function isMinorUpdate(from: FullVersion | undefined, to: FullVersion | undefined): boolean {
  return !from || !to || !isSameMinor(from, to);
}

function minorHint(to: FullVersion | undefined): string {
  return to === undefined
    ? 'if the release is a patch of the current one, write its tag too: REPOSITORY:VERSION-ARCHITECTURE@sha256:…'
    : 'fix the named cause, or upgrade to a patch of the current release';
}

interface Checked {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

async function checkRest(
  client: ClusterClient,
  { view, target }: { readonly view: ClusterVersionView; readonly target: TargetRelease },
): Promise<Checked | { readonly fault: Fault }> {
  const [operators, pools] = [await client.clusterOperators(), await client.machineConfigPools()];
  for (const reading of [operators, pools]) if (reading.kind === 'fault') return { fault: reading.fault };
  const [from, to] = [view.desired.version, targetVersion(view, target)];
  const gates = from && isMinorUpdate(from, to) ? await checkAcks(client, from) : { found: [] };
  if ('fault' in gates) return gates;
  const signature = await checkSignature(client, target);
  if ('fault' in signature) return signature;
  const unhealthy = operators.kind === 'found' ? unhealthyOperators(operators.object) : [];
  return {
    problems: [
      ...unhealthy.map(({ message }) =>
        notReady(message, '`oc describe clusteroperator NAME` shows details'),
      ),
      ...pausedPools(pools.kind === 'found' ? pools.object : {}),
      ...gates.found.map((text) =>
        notReady(
          `not acknowledged: ${text}`,
          `read the text, then set ${text.split(':')[0] ?? ''} to "true" in the ConfigMap openshift-config/admin-acks`,
        ),
      ),
    ],
    warnings: signature.found,
  };
}

/** The machine config operator does not update the nodes of a paused pool. Source: openshift/api machineconfiguration/v1 */
function pausedPools(list: object): readonly Problem[] {
  return listAt(list, ['items']).flatMap((pool) => {
    if (fieldAt(pool, ['spec', 'paused']) !== true) return [];
    const name = textAt(pool, ['metadata', 'name']) ?? '?';
    return [notReady(`the machine config pool ${name} is paused`, 'set spec.paused of the pool to false')];
  });
}

type Found<T> = { readonly found: readonly T[] } | { readonly fault: Fault };

async function checkAcks(
  { send }: Pick<ClusterClient, 'send'>,
  current: FullVersion,
): Promise<Found<string>> {
  const bodies: unknown[] = [];
  for (const [namespace, name] of [
    ['openshift-config-managed', 'admin-gates'],
    ['openshift-config', 'admin-acks'],
  ] as const) {
    const answer = await send({ path: `/api/v1/namespaces/${namespace}/configmaps/${name}` });
    if (answer.kind === 'fault') return answer;
    if (!isSuccess(answer) && answer.status !== 404)
      return { fault: { kind: 'error-answer', detail: rejectionOf(answer, 'ConfigMap') } };
    bodies.push(answer.status === 404 ? {} : answer.body);
  }
  return { found: missingAcks(bodies[0], bodies[1], current) };
}

/**
 * The operator accepts only signed releases. It reads signatures from ConfigMaps with this label, and from the signature stores of its
 * release or of spec.signatureStores. Source: openshift/library-go pkg/verify/store/configmap: keys are `sha256-DIGEST-NUMBER`.
 */
async function checkSignature(
  { send }: Pick<ClusterClient, 'send'>,
  { digest }: TargetRelease,
): Promise<Found<Problem>> {
  const answer = await send({
    path: '/api/v1/namespaces/openshift-config-managed/configmaps',
    query: { labelSelector: 'release.openshift.io/verification-signatures' },
  });
  if (answer.kind === 'fault') return answer;
  const prefix = `${digest.replace(':', '-')}-`;
  const keys = listAt(answer.body, ['items']).flatMap((each) => {
    const data = fieldAt(each, ['binaryData']);
    return isRecord(data) ? Object.keys(data) : [];
  });
  if (keys.some((key) => key.startsWith(prefix))) return { found: [] };
  const message =
    'the cluster has no signature of the release; its version operator has to reach a signature store in the internet or in spec.signatureStores';
  const hint =
    'for a disconnected cluster, apply the signature ConfigMap that `oc-mirror` or `oc adm release mirror` writes';
  return { found: [problem('upgrade/signature', message, { hint })] };
}

/**
 * Gates for leaving the current minor version that the administrator has not acknowledged: `NAME: TEXT`. Both arguments are the
 * ConfigMaps. Source: openshift/cluster-version-operator pkg/risk/adminack: the gate's name starts with `ack-4.20-`, and only the
 * value `true` in openshift-config/admin-acks acknowledges it.
 */
function missingAcks(gates: unknown, acks: unknown, current: FullVersion): readonly string[] {
  const data = fieldAt(gates, ['data']);
  if (!isRecord(data)) return [];
  return Object.entries(data)
    .flatMap(([name, text]) => {
      const [, minor] = /^ack-(\d+\.\d+)-[^-]/.exec(name) ?? [];
      if (minor !== `${current.major}.${current.minor}` || textAt(acks, ['data', name]) === 'true') return [];
      const reason = typeof text === 'string' ? text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim() : '';
      return [reason === '' ? name : `${name}: ${reason.slice(0, 240)}`];
    })
    .sort();
}
