import { controlPlaneRender } from '../config/control-plane-render.js';
import { imageReferences } from '../config/image-references.js';
import { requestedNames } from '../control-plane/requested-names.js';
import { suppliedPassword } from '../kubeconfig/kubeadmin-password.js';
import { neededEdits } from '../manifests/needed-edits.js';
import { userManifests } from '../manifests/user-manifests.js';
import { boundServiceAccountKey } from '../tls/bound-service-account-key.js';

/** What judges the inputs beside the configs of an installation in place, and draws nothing. */
export const inPlaceChecks = [
  controlPlaneRender,
  imageReferences,
  requestedNames,
  userManifests,
  neededEdits,
  suppliedPassword,
  boundServiceAccountKey,
];
