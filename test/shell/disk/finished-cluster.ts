import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder } from '../../support/scratch.js';
import { installedMachine, masterIgnition } from './installed-machine.js';
import type { Machine } from './machine.js';
import { certificateOf, currentCertificate, newKey } from './requests.js';

export const script = 'bootstrap-in-place-post-reboot.sh';

export const ready = (type: string, status = 'True') =>
  JSON.stringify({ status: { conditions: [{ type, status }] } });

const operands = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'openshift-kube-scheduler'];

/** Pods as listed by the API: the static pods of each revision (without one, a bootstrap pod) and an installer pod. */
export const pods = (...revisions: readonly string[]) =>
  podsNamed(
    ...revisions.flatMap((revision) =>
      revision === ''
        ? [{ name: 'bootstrap-kube-apiserver-sno1' }]
        : operands.map((operand) => ({ name: `${operand}-sno1`, revision })),
    ),
  );

/** Ready mirror pods of static pods, and an installer pod. */
export const podsNamed = (...mirrors: readonly { readonly name: string; readonly revision?: string }[]) =>
  JSON.stringify({
    items: [
      ...mirrors.map(({ name, revision }) => ({
        metadata: {
          name,
          annotations: { 'kubernetes.io/config.mirror': 'hash' },
          ...(revision !== undefined && { labels: { revision } }),
        },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      })),
      { metadata: { name: 'installer-2' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
  });

/** An operator that manages its static pod at a revision. Source: openshift/api, operator/v1 StaticPodOperatorStatus */
export const operatorAt = (currentRevision: number, latestAvailableRevision = currentRevision) =>
  JSON.stringify({
    status: {
      latestAvailableRevision,
      nodeStatuses: [{ nodeName: 'sno1', currentRevision, targetRevision: 0 }],
    },
  });

let identity: string | undefined;

/** The kubelet's client certificate and key in one file. */
function kubeletIdentity(): string {
  if (identity === undefined) {
    const key = newKey(join(scratchFolder(), 'key'));
    identity = certificateOf(key) + readFileSync(key, 'utf8');
  }
  return identity;
}

/** The installed node with a cluster for which every wait condition is true. */
export function finishedCluster(): Machine {
  const machine = installedMachine(masterIgnition());
  machine.answer('oc-get-node-sno1', ready('Ready'));
  machine.answer('oc-get-csr', '{"items":[]}');
  machine.answer('oc-get-pods', pods('2'));
  machine.answer('oc-get-clusterversion-version', ready('Available'));
  machine.write('var/lib/kubelet/pki/kubelet-server-current.pem', 'certificate\n');
  machine.write(currentCertificate, kubeletIdentity());
  for (const pod of ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])
    machine.write(`etc/kubernetes/manifests/${pod}-pod.yaml`, 'of the operator\n');
  machine.write('var/lib/etcd/member/snap/db', 'the cluster');
  return machine;
}

/** Calls of oc that change the cluster, without their timeout argument. */
export function changes(machine: Machine): readonly string[] {
  return machine
    .calls('oc')
    .map((call) => call.replace('--request-timeout=30s ', ''))
    .filter((call) => !call.startsWith('get '));
}

export const stages = [
  'node-identity',
  'api',
  'bootstrap-complete',
  'release-cvo-lease',
  'release-cpc-lease',
  'restore-cvo-overrides',
  'node-ready',
  'restart-kubelet-for-network',
  'restart-kubelet-for-api',
  'cluster-available',
  'serving-certificate',
  'operators-own-control-plane',
  'cluster-complete',
] as const;
