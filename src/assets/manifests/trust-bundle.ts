import { configMap } from '../../kube/core-objects.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** The certificate authorities the user trusts beside those of the system; none when the user gave none. */
export const trustBundle = defineManifests({
  name: 'manifests/trust-bundle',
  needs: { install: installConfig },
  make: ({ install }) => {
    const certificates = certificatesIn(install.additionalTrustBundle);
    if (certificates.length === 0) return [];
    const metadata = {
      name: 'user-ca-bundle',
      namespace: 'openshift-config',
      annotations: { 'openshift.io/owning-component': 'End User' },
    };
    const object = configMap(metadata, { 'ca-bundle.crt': certificates.join('') });
    return [{ path: 'manifests/user-ca-bundle-config.yaml', object }];
  },
  alsoElsewhere: () => [{ path: ['data'], input: 'additionalTrustBundle in install-config.yaml' }],
});

/** The certificates of a bundle in canonical PEM (RFC 7468 §3), without the text between them. */
function certificatesIn(bundle: string): readonly string[] {
  const blocks = bundle.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g);
  return [...blocks].map(([, body = '']) => {
    const lines = body.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
    return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  });
}
