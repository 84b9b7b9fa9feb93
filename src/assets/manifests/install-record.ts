import { configMap } from '../../kube/core-objects.js';
import { defineManifests } from './family.js';
import { programVersion } from '../../core/program-version.js';

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
