import { secretFile } from '../../core/output-file.js';
import { defineAsset } from '../../graph/asset.js';
import { secret } from '../../kube/core-objects.js';
import { installConfig } from '../config/install-config.js';
import { kubeadminPassword } from '../kubeconfig/kubeadmin-password.js';
import { withPayloadAuth } from '../../node/payload.js';
import { payloadRegistry } from '../tls/payload-registry.js';
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

/** Credentials with which the cluster pulls images. */
export const pullSecret = defineManifests({
  name: 'manifests/pull-secret',
  needs: { install: installConfig, registry: payloadRegistry },
  make: ({ install, registry }) => {
    const metadata = { name: 'pull-secret', namespace: 'openshift-config' };
    const texts = { '.dockerconfigjson': withPayloadAuth(install.pullSecret.reveal(), registry) };
    const object = secret(metadata, 'kubernetes.io/dockerconfigjson', texts);
    return [{ path: 'manifests/openshift-config-secret-pull-secret.yaml', object }];
  },
  alsoElsewhere: () => [{ path: ['data'], input: 'pullSecret in install-config.yaml' }],
});

/** Hash of the kubeadmin password, for the console and `oc login`. */
export const kubeadmin = defineManifests({
  name: 'manifests/kubeadmin',
  needs: { password: kubeadminPassword },
  make: ({ password }) => {
    const object = secret({ name: 'kubeadmin', namespace: 'kube-system' }, 'Opaque', {
      kubeadmin: password.hash,
    });
    return [{ path: 'openshift/99_kubeadmin-password-secret.yaml', object }];
  },
  alsoElsewhere: () => [{ path: ['data'], input: 'tls/kubeadmin-password.hash' }],
});

/** The password file for the user; omitted if the user deleted the Secret, because the password then does not work. */
export const kubeadminPasswordFile = defineAsset({
  name: 'auth/kubeadmin-password',
  needs: { kubeadmin, password: kubeadminPassword },
  make: ({ kubeadmin, password: { password } }) => (kubeadmin.length === 0 ? undefined : password),
  files: (password) => (password ? [secretFile('auth/kubeadmin-password', password.reveal())] : []),
});
