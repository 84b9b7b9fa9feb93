import { componentNames, userConfigNamespace } from '../../kube/components.js';
import { secrets } from '../loops/kinds.js';
import type { Loop } from '../loops/loop.js';

const { namespace } = componentNames['kube-controller-manager'];

/**
 * The loop of the key that signs legacy service-account tokens: while a cluster is being installed it is the installer's,
 * whose public half kube-apiserver has. Source: cluster-kube-controller-manager-operator pkg/operator/certrotationcontroller, SATokenSignerController
 */
export const serviceAccountKey: Loop = {
  name: 'service-account key',
  component: 'kube-controller-manager',
  run: (store) => {
    const name = 'service-account-private-key';
    const initial = store.get(secrets, userConfigNamespace, 'initial-service-account-private-key');
    const present = store.get(secrets, namespace, name);
    if (initial === undefined || present !== undefined) return store;
    return store.create({ ...initial, metadata: { namespace, name } });
  },
};
