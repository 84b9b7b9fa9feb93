import { fieldAt } from '../../kube/fields.js';
import type { KubeObject } from '../../kube/object.js';
import { servedVersion } from '../../config/served-version.js';
import type { ServedKind } from '../../release/openshift-release.js';
import { releases } from '../../release/releases.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { defineManifests } from './family.js';

/** Key algorithms for certificates that operators renew; written only with the preview feature. */
export const pki = defineManifests({
  name: 'manifests/pki',
  needs: { install: installConfig, release },
  make: ({ install, release: { version } }) => {
    const apiVersion = version && servedVersion(releases.like(version).pki, install);
    return apiVersion === undefined
      ? []
      : [{ path: 'manifests/cluster-pki-02-config.yaml', object: pkiObject(apiVersion, install.pki) }];
  },
});

/** Default of the installer's own profile. Source: openshift/installer pkg/types/pki/defaults.go. */
const defaultKey = { algorithm: 'RSA', rsa: { keySize: 4096 } };

function pkiObject(apiVersion: ServedKind['apiVersion'], given: unknown): KubeObject {
  const signerCertificates = fieldAt(given, ['signerCertificates']);
  return {
    apiVersion: `config.openshift.io/${apiVersion}`,
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
