import { componentNames, userConfigNamespace } from '../../kube/components.js';
import { secrets } from '../loops/kinds.js';
import type { Loop } from '../loops/loop.js';

const { namespace } = componentNames['kube-controller-manager'];

/**
 * The loop of the signing key for legacy service-account tokens. During installation this is the installer's key; kube-apiserver
 * has its public half.
 * Source: cluster-kube-controller-manager-operator pkg/operator/certrotationcontroller, SATokenSignerController
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
