import { programVersion } from '../../core/program-version.js';
import { configMap } from '../../kube/core-objects.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** Invoker and version of the installer, for support. */
export const installRecord = defineManifests({
  name: 'manifests/install-record',
  needs: {},
  make: (_parents, { environment }) => {
    const metadata = { name: 'openshift-install-manifests', namespace: 'openshift-config' };
    const object = configMap(metadata, {
      invoker: environment.invoker ?? 'user',
      version: `sno-install ${programVersion}`,
    });
    return [{ path: 'openshift/openshift-install-manifests.yaml', object }];
  },
});

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
