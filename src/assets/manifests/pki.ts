import { fieldAt } from '../../kube/fields.js';
import type { KubeObject } from '../../kube/object.js';
import { installConfig } from '../config/install-config.js';
import type { InstallConfig } from '../config/install-config-model.js';
import { release, type Release } from '../config/release.js';
import { defineManifests } from './family.js';
import { hasPreviewFeature } from './feature-gate.js';

/** How the operators make keys when they renew certificates; a preview, and none without it. */
export const pki = defineManifests({
  name: 'manifests/pki',
  needs: { install: installConfig, release },
  make: ({ install, release }) =>
    servesPki(release.version, install)
      ? [{ path: 'manifests/cluster-pki-02-config.yaml', object: pkiObject(install.pki) }]
      : [],
});

/**
 * Whether the release serves the kind PKI. Source: openshift/api payload-manifests/crds/*pkis*, first on the branch
 * release-4.22, for the sets in preview and ConfigurablePKI.
 */
function servesPki(version: Release['version'], install: InstallConfig): boolean {
  if (version === undefined) return false;
  const { major, minor } = version;
  return (major > 4 || (major === 4 && minor >= 22)) && hasPreviewFeature(install, 'ConfigurablePKI');
}

/** RSA-4096 is the default of the installer's own profile. Source: openshift/installer pkg/types/pki/defaults.go. */
const defaultKey = { algorithm: 'RSA', rsa: { keySize: 4096 } };

function pkiObject(given: unknown): KubeObject {
  const signerCertificates = fieldAt(given, ['signerCertificates']);
  return {
    apiVersion: 'config.openshift.io/v1alpha1',
    kind: 'PKI',
    metadata: { name: 'cluster' },
    spec: {
      certificateManagement:
        signerCertificates === undefined
          ? { mode: 'Default' }
          : { mode: 'Custom', custom: { defaults: { key: defaultKey }, signerCertificates } },
    },
  };
}
