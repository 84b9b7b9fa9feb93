import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Machine } from '../../real/control-plane/support/machine.js';
import { waitUntil } from '../../real/control-plane/support/wait-until.js';
import type { Lab } from '../lab.js';
import { findings } from './complaints.js';
import type { Kubectl } from './kubectl.js';
import { components, rollOut, type Component } from './rollout.js';

/** A cluster whose operators do, each once, what the node waits for. */
export interface Operators {
  /** One look at the cluster; never throws for an API server that is away. */
  readonly look: () => Promise<void>;
  /** Until all is done. */
  readonly settle: () => Promise<void>;
  readonly verdict: () => Verdict;
}

export interface Verdict {
  /** What they found amiss in the revision that the installer rendered. */
  readonly findings: readonly string[];
  /** The components that were not theirs yet when the node took the hand-over for done. */
  readonly handedOverEarly: readonly Component[];
}

/**
 * The operators of the installed node: they look at revision 1, give each static pod a second one, and the cluster is Available
 * before the last of them is there, as it is of a real one. etcd goes with kube-apiserver: without it each call of the kubelet's
 * would have to run into its time limit first, for minutes.
 */
export function operatorsOf(lab: Lab, machine: Machine, root: string): Operators {
  const kubectl: Kubectl = (argv, input) => machine.kubectl(lab.site.adminKubeconfig, argv, input);
  const begun: Component[] = [];
  let found: readonly string[] | undefined = [];
  let early: readonly Component[] = [];
  const replace = (each: readonly Component[]): readonly Step[] => [
    () => {
      for (const component of each) rollOut(root, component);
      begun.push(...each);
      return Promise.resolve(true);
    },
    ...each.map((component) => () => runsRevision2(kubectl, component)),
  ];
  const steps: readonly Step[] = [
    () => expireLock(kubectl),
    () => isReady(kubectl),
    async () => {
      // The operators' own render leaves no revision: they begin with one of their own.
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
    if (early.length === 0 && isHandedOver(root)) early = components.filter((each) => !begun.includes(each));
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

/** Whether it is done; asked again until it is. */
type Step = () => Promise<boolean>;

function isDone(root: string, stage: string): boolean {
  return existsSync(join(root, `opt/openshift/${stage}.done`));
}

/** The folder goes with the clean-up, which comes after it. */
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
