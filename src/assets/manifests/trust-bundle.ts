import { configMap } from '../../kube/core-objects.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** CAs that the user trusts in addition to the system's; omitted if there are none. */
export const trustBundle = defineManifests({
  name: 'manifests/trust-bundle',
  needs: { install: installConfig },
  make: ({ install }) => {
    if (install.additionalTrustBundle === '') return [];
    const metadata = {
      name: 'user-ca-bundle',
      namespace: 'openshift-config',
      annotations: { 'openshift.io/owning-component': 'End User' },
    };
    const object = configMap(metadata, { 'ca-bundle.crt': install.additionalTrustBundle });
    return [{ path: 'manifests/user-ca-bundle-config.yaml', object }];
  },
  alsoElsewhere: () => [{ path: ['data'], input: 'additionalTrustBundle in install-config.yaml' }],
});
