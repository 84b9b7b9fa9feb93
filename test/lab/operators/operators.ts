import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Machine } from '../../real/control-plane/support/machine.js';
import { waitUntil } from '../../real/control-plane/support/wait-until.js';
import type { Lab } from '../lab.js';
import { findings } from './complaints.js';
import type { Kubectl } from './kubectl.js';
import { components, rollOut, type Component } from './rollout.js';

/** Simulates the operators: each performs once the action that the node waits for. */
export interface Operators {
  /** Polls the cluster once. Never throws if the API server does not answer. */
  readonly look: () => Promise<void>;
  /** Polls until every action is done. */
  readonly settle: () => Promise<void>;
  readonly verdict: () => Verdict;
}

export interface Verdict {
  /** Faults in the revision that the installer rendered. */
  readonly findings: readonly string[];
  /** Components that still ran the bootstrap's static pod when the node reported the hand-over as done. */
  readonly handedOverEarly: readonly Component[];
}

/**
 * The operators of the installed node. They check revision 1 and roll out a second revision of each static pod. The cluster
 * becomes Available before the last rollout is done, as on a real cluster. etcd rolls out together with kube-apiserver:
 * otherwise each API call of the kubelet would first run into its timeout, for minutes.
 */
export function simulateOperators(lab: Lab, machine: Machine, root: string): Operators {
  const kubectl: Kubectl = (argv, input) => machine.kubectl(lab.site.adminKubeconfig, argv, input);
  const started: Component[] = [];
  let found: readonly string[] | undefined = [];
  let early: readonly Component[] = [];
  const replace = (each: readonly Component[]): readonly Step[] => [
    () => {
      for (const component of each) rollOut(root, component);
      started.push(...each);
      return Promise.resolve(true);
    },
    ...each.map((component) => () => runsRevision2(kubectl, component)),
  ];
  const steps: readonly Step[] = [
    () => expireLock(kubectl),
    () => isReady(kubectl),
    async () => {
      // The operators' own render leaves no revision: they start with a new one.
      if (lab.options.render === 'Installer') found = await findings(kubectl, lab.options.minor, new Date());
      return found !== undefined;
    },
    ...replace(['etcd', 'kube-apiserver']),
    () => makeAvailable(kubectl),
    () => Promise.resolve(isDone(root, 'serving-certificate') || isHandedOver(root)),
    ...replace(['kube-controller-manager']),
    ...replace(['kube-scheduler']),
  ];
  let next = 0;
  const look = async () => {
    if (early.length === 0 && isHandedOver(root))
      early = components.filter((each) => !started.includes(each));
    if ((await steps[next]?.()) === true) next += 1;
  };
  return {
    look,
    settle: async () => {
      await waitUntil('the operators to be done', async () => {
        await look();
        return next === steps.length ? true : undefined;
      });
    },
    verdict: () => ({ findings: found ?? [], handedOverEarly: early }),
  };
}

/** Returns true when the step is done. Called repeatedly until then. */
type Step = () => Promise<boolean>;

function isDone(root: string, stage: string): boolean {
  return existsSync(join(root, `opt/openshift/${stage}.done`));
}

/** The clean-up after the hand-over deletes the folder. */
function isHandedOver(root: string): boolean {
  return isDone(root, 'operators-own-control-plane') || !existsSync(join(root, 'opt/openshift'));
}

async function runsRevision2(kubectl: Kubectl, component: Component): Promise<boolean> {
  const { code, stdout } = await kubectl([
    'get',
    'pods',
    `--namespace=openshift-${component}`,
    '--selector=revision=2',
    '--request-timeout=5s',
    '--output=jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}',
  ]);
  return code === 0 && stdout === 'True';
}

/** A real reboot takes longer than the scheduler's lease (137 s in OpenShift's config). A reboot in the lab is faster. */
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

/** The operator's pod runs on the node, so the node is Ready and its kubelet's certificates are approved. */
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
  // No operator rolls out the control plane while the node is not Ready: the API server is down for a while.
  const ready = '--output=jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}';
  return (await kubectl(['get', 'nodes', '--request-timeout=5s', ready])).stdout === 'True';
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
