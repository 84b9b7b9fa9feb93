import { secret } from '../../kube/core-objects.js';
import { secretFile } from '../../core/output-file.js';
import { defineAsset } from '../../graph/asset.js';
import { kubeadminPassword } from '../kubeconfig/kubeadmin-password.js';
import { defineManifests } from './family.js';

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
