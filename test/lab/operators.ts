import { mkdirSync, readFileSync, readdirSync, writeFileSync, cpSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import type { Machine } from '../real/control-plane/support/machine.js';
import type { Lab } from './lab.js';

/** A cluster whose operators do, each once, what the node waits for. */
export interface Operators {
  /** One look at the cluster; never throws for an API server that is away. */
  readonly look: () => Promise<void>;
}

/** The operators of the installed node: a second revision of the static pods, and at the end a version that is available. */
export function operatorsOf(lab: Lab, machine: Machine, root: string): Operators {
  const done: string[] = [];
  const kubectl = (argv: readonly string[], input?: string) =>
    machine.kubectl(lab.site.adminKubeconfig, argv, input);
  const look = async () => {
    if (!done.includes('lock')) {
      if (await expireLock(kubectl)) done.push('lock');
      return;
    }
    if (!(await isReady(kubectl))) return;
    if (!done.includes('static pods')) {
      replaceStaticPods(root);
      done.push('static pods');
    } else if (!done.includes('cluster version') && (await makeAvailable(kubectl))) {
      done.push('cluster version');
    }
  };
  return { look };
}

type Kubectl = (argv: readonly string[], input?: string) => ReturnType<Machine['run']>;

/** A real reboot takes longer than the scheduler's lock lasts (137 s in OpenShift's config); this one does not. */
async function expireLock(kubectl: Kubectl): Promise<boolean> {
  const { code } = await kubectl([
    'delete',
    'lease',
    'kube-scheduler',
    '--ignore-not-found',
    '--namespace=openshift-kube-scheduler',
    '--request-timeout=5s',
  ]);
  return code === 0;
}

/** The pod of the operator runs on the node, so its node is Ready and admitted. */
async function isReady(kubectl: Kubectl): Promise<boolean> {
  const { stdout } = await kubectl([
    'get',
    'deployment',
    'kube-apiserver-operator',
    '--namespace=openshift-kube-apiserver-operator',
    '--request-timeout=5s',
    '--output=jsonpath={.status.readyReplicas}',
  ]);
  if (stdout !== '1') return false;
  // No operator replaces the control plane of a node that is not Ready: its API server goes away for a while.
  const ready = '--output=jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}';
  return (await kubectl(['get', 'nodes', '--request-timeout=5s', ready])).stdout === 'True';
}

const manifests = 'etc/kubernetes/manifests';
const resources = '/etc/kubernetes/static-pod-resources';

/**
 * Pods that read what the bootstrap left get a revision of their own, as the operators' installer pods lay it; pods that are
 * of the operators' shape already stay.
 */
function replaceStaticPods(root: string): void {
  for (const [from, to] of [
    ['/etc/kubernetes/bootstrap-secrets', `${resources}/control-plane-pod-2`],
    [`${resources}/etcd-member`, `${resources}/etcd-pod-2`],
  ] as const) {
    if (existsSync(join(root, from))) cpSync(join(root, from), join(root, to), { recursive: true });
    for (const name of readdirSync(join(root, manifests))) replaceIn(join(root, manifests, name), from, to);
  }
}

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  const changed = text
    .replaceAll(`${from}"`, `${to}"`)
    .replaceAll(`${from}/`, `${to}/`)
    .replaceAll('"bootstrap-kube-', '"kube-');
  if (changed === text) return;
  // Whole at once, under a name that the kubelet passes over before.
  const draft = path.replace(/([^/]+)$/, '.$1');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(draft, changed, { mode: 0o600 });
  renameSync(draft, path);
}

async function makeAvailable(kubectl: Kubectl): Promise<boolean> {
  const path = '/apis/config.openshift.io/v1/clusterversions/version';
  const { code, stdout } = await kubectl(['get', '--raw', path, '--request-timeout=5s']);
  if (code !== 0) return false;
  const version = JSON.parse(stdout) as Record<string, unknown>;
  const condition = {
    type: 'Available',
    status: 'True',
    reason: 'Lab',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const body = JSON.stringify({ ...version, status: { conditions: [condition] } });
  return (await kubectl(['replace', '--raw', `${path}/status`, '-f', '-'], body)).code === 0;
}
