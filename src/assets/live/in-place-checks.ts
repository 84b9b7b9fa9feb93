import { controlPlaneRender } from '../config/control-plane-render.js';
import { imageReferences } from '../config/image-references.js';
import { requestedNames } from '../control-plane/requested-names.js';
import { suppliedPassword } from '../kubeconfig/kubeadmin-password.js';
import { neededEdits } from '../manifests/needed-edits.js';
import { postInstallObjects } from '../manifests/post-install.js';
import { userManifests } from '../manifests/user-manifests.js';
import { boundServiceAccountKey } from '../tls/bound-service-account-key.js';

/** Assets that validate the other inputs of bootstrap in place. They generate no keys. */
export const inPlaceChecks = [
  controlPlaneRender,
  imageReferences,
  requestedNames,
  userManifests,
  postInstallObjects,
  neededEdits,
  suppliedPassword,
  boundServiceAccountKey,
];
