import type { WaitCondition } from '../../remote/kubernetes/goals/wait-goal.js';

/** The help of a condition. */
interface WaitHelp {
  readonly description: string;
  /** Default of `--timeout`. */
  readonly timeout: string;
  readonly says: string;
}

/** The conditions of `wait-for`. */
export const waitConditions: Readonly<Record<WaitCondition, WaitHelp>> = {
  'bootstrap-complete': {
    description: 'Wait until the node has rebooted from its disk and runs its own control plane.',
    // openshift-install waits 20 minutes for the API and then 45 for the ConfigMap (cmd/openshift-install/create.go).
    timeout: '65m',
    says: 'The API starts, goes away while the node writes its disk and reboots, and comes back.',
  },
  'install-complete': {
    description: 'Wait until the ClusterVersion is Available and no longer Progressing.',
    // openshift-install waits 40 minutes and 30 more for the operators. A single node pulls everything over one link.
    timeout: '90m',
    says: 'Unhealthy operators are listed at the end.',
  },
  'post-install-complete': {
    description: 'Wait until the manifests in post-install/ are applied.',
    // From the boot of the live system: the installation, then up to 60 minutes for the operators of each wave.
    timeout: '3h',
    says: 'Without such manifests, this is the same as install-complete.',
  },
  'node-ready': {
    description: 'Wait until every registered node is Ready. For a control plane without operators.',
    timeout: '30m',
    says: 'Clusters from `create aio-ignition` reach this state.',
  },
};

/** The condition names, in the order in which a cluster reaches them. */
export const waitConditionNames = Object.keys(waitConditions).filter(isWaited);

function isWaited(name: string): name is WaitCondition {
  return Object.hasOwn(waitConditions, name);
}
