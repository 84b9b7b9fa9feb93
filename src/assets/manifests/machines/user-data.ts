import { secret } from '../../../kube/core-objects.js';
import type { Role } from '../../../kube/machine-config.js';
import type { GeneratedManifest } from '../../../manifests/edits/edits.js';
import { masterPointer, workerPointer } from '../../ignition/pointer.js';
import { defineManifests } from '../family.js';

/** Secrets with the pointer configs of new machines. */
export const userData = defineManifests({
  name: 'manifests/user-data',
  needs: { master: masterPointer, worker: workerPointer },
  make: ({ master, worker }) => [userDataManifest('master', master), userDataManifest('worker', worker)],
});

function userDataManifest(role: Role, pointer: string): GeneratedManifest {
  const metadata = { name: `${role}-user-data`, namespace: 'openshift-machine-api' };
  // With upstream's newline. Source: openshift/installer pkg/asset/machines/userdata.go.
  const object = secret(metadata, 'Opaque', { disableTemplating: 'true\n', userData: pointer });
  return { path: `openshift/99_openshift-cluster-api_${role}-user-data-secret.yaml`, object };
}
