import { join } from 'node:path';

import { masterConfig } from '../shell/disk/machine-files.js';
import { liveMachine, put, type Machine } from '../shell/disk/machine.js';
import { description, sealedSnapshot } from '../manifests/enrich/given.js';

/**
 * The root of a live system after etcd has stopped and the master's config exists, before the node's own step has processed
 * them: the snapshot is neither compressed nor hashed.
 */
export function liveRoot(): Machine {
  const machine = liveMachine();
  machine.write('etc/kubernetes/etcd-member-pod.yaml', 'kind: Pod\n');
  machine.write('opt/openshift/etcd-snapshot/snapshot.json', JSON.stringify(description));
  put(join(machine.root, 'opt/openshift/etcd-snapshot/snapshot.db'), sealedSnapshot);
  machine.write('opt/openshift/original-master.ign', JSON.stringify(masterConfig));
  return machine;
}
