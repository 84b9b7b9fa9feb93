import { secret } from '../../kube/core-objects.js';
import { defineManifests } from './family.js';

/** Cloud provider settings, empty for platform none; their consumers still expect the Secret. */
export const cloudConfig = defineManifests({
  name: 'manifests/cloud-config',
  needs: {},
  make: () => {
    const metadata = { name: 'kube-cloud-cfg', namespace: 'kube-system' };
    return [{ path: 'manifests/kube-cloud-config.yaml', object: secret(metadata, 'Opaque', { config: '' }) }];
  },
});
