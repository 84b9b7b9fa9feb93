import { secret } from '../../kube/core-objects.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** Credentials with which the cluster pulls images. */
export const pullSecret = defineManifests({
  name: 'manifests/pull-secret',
  needs: { install: installConfig },
  make: ({ install }) => {
    const metadata = { name: 'pull-secret', namespace: 'openshift-config' };
    const texts = { '.dockerconfigjson': install.pullSecret.reveal() };
    const object = secret(metadata, 'kubernetes.io/dockerconfigjson', texts);
    return [{ path: 'manifests/openshift-config-secret-pull-secret.yaml', object }];
  },
  alsoElsewhere: () => [{ path: ['data'], input: 'pullSecret in install-config.yaml' }],
});
