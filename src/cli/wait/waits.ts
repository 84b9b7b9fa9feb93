import type { Waited } from '../options.js';

/** What help says of something that can be waited for. */
interface WaitHelp {
  readonly description: string;
  /** For how long at most, unless `--timeout` says otherwise. */
  readonly timeout: string;
  readonly says: string;
}

/** What can be waited for. */
export const waits: Readonly<Record<Waited, WaitHelp>> = {
  'bootstrap-complete': {
    description: 'Wait until the node has rebooted from its disk and runs its own control plane.',
    // openshift-install gives the API 20 minutes and then the ConfigMap 45 (cmd/openshift-install/create.go).
    timeout: '65m',
    says: 'The API comes up, vanishes while the node writes its disk and reboots, and comes back.',
  },
  'install-complete': {
    description: 'Wait until the ClusterVersion is Available and no longer Progressing.',
    // openshift-install gives it 40 minutes and the operators 30 more; a single node pulls everything over one link.
    timeout: '90m',
    says: 'Operators that are not well are listed at the end.',
  },
  'node-ready': {
    description: 'Wait until every registered node is Ready: for a control plane without operators.',
    timeout: '30m',
    says: 'This is what a cluster from `create aio-ignition` reaches.',
  },
};

/** Their names, in the order in which a cluster gets there. */
export const waitedNames = Object.keys(waits).filter(isWaited);

function isWaited(name: string): name is Waited {
  return Object.hasOwn(waits, name);
}
