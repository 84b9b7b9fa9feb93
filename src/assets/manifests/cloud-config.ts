import { secret } from '../../kube/core-objects.js';
import { defineManifests } from './family.js';

/** The settings of a cloud provider, of which platform none has none; its readers still expect the Secret. */
export const cloudConfig = defineManifests({
  name: 'manifests/cloud-config',
  needs: {},
  make: () => {
    const metadata = { name: 'kube-cloud-cfg', namespace: 'kube-system' };
    return [{ path: 'manifests/kube-cloud-config.yaml', object: secret(metadata, 'Opaque', { config: '' }) }];
  },
});
