import { X509Certificate } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { releaseSettings } from '../../src/assets/config/release-settings.js';
import { signerKeys, signers } from '../../src/assets/tls/certificates.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { resolveAssets } from '../support/made-from.js';
import { edited, soundInstallConfig } from './sound-config.js';

const p384 = 'pki: {signerCertificates: {key: {algorithm: ECDSA, ecdsa: {curve: P384}}}}';
const custom = 'featureSet: CustomNoUpgrade\nfeatureGates: [ConfigurablePKI=true]';

function filesWith(features: string, { image = '4.22.0-x86_64', more = '' } = {}): Record<string, string> {
  const release = image.startsWith('sha256') ? `quay.io/a/b@${image}` : `quay.io/a/b:${image}`;
  return {
    'install-config.yaml': edited(soundInstallConfig, [['fips: false', features]]),
    'sno-config.yaml': `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nreleaseImage: ${release}\n${more}`,
  };
}

/** Source: openshift/installer pkg/types/pki/defaults.go and openshift/library-go pkg/pki/profile.go */
describe('the algorithm of the signers', () => {
  test.each([
    { name: 'without the feature', features: 'publish: External', want: 'RSA-2048' },
    { name: 'of a technology preview', features: 'featureSet: TechPreviewNoUpgrade', want: 'RSA-4096' },
    { name: 'of a developer preview', features: 'featureSet: DevPreviewNoUpgrade', want: 'RSA-4096' },
    { name: 'with the gate alone', features: custom, want: 'RSA-4096' },
    { name: 'with pki', features: `${custom}\n${p384}`, want: 'ECDSA-P384' },
    {
      name: 'with pki and an algorithm of all keys',
      features: `${custom}\n${p384}`,
      more: 'certificates: {keyAlgorithm: RSA-3072}\n',
      want: 'ECDSA-P384',
    },
    {
      name: 'with an algorithm of all keys',
      features: 'featureSet: TechPreviewNoUpgrade',
      more: 'certificates: {keyAlgorithm: RSA-2048}\n',
      want: 'RSA-2048',
    },
    {
      name: 'of a preview of a release without PKI',
      features: 'featureSet: TechPreviewNoUpgrade',
      image: '4.21.0-x86_64',
      want: 'RSA-2048',
    },
  ])('$name is $want', async ({ features, want, ...given }) => {
    const made = await resolveAssets([signerKeys], { files: filesWith(features, given) });
    expect(made.valueOf(signerKeys)).toBe(want);
  });

  test('is that of every signer', async () => {
    const roots = Object.values(signers);
    const made = await resolveAssets(roots, { files: filesWith(`${custom}\n${p384}`) });
    const curves = roots.map(
      (root) => new X509Certificate(made.valueOf(root).certPem).publicKey.asymmetricKeyDetails?.namedCurve,
    );
    expect(new Set(curves)).toEqual(new Set(['secp384r1']));
  });
});

describe('pki is refused', () => {
  const digest = `sha256:${'0f'.repeat(32)}`;
  test.each([
    {
      name: 'by a release that does not read it',
      image: '4.21.0-x86_64',
      want: ['config/pki: release 4.21 does not support pki'],
    },
    {
      name: 'while the version is not known',
      image: digest,
      want: ['config/pki: pki needs release 4.22 or later, and the release version is unknown'],
    },
    { name: 'by no release that reads it', image: '4.22.0-x86_64', want: [] },
  ])('$name', async ({ image, want }) => {
    const files = filesWith(`featureSet: TechPreviewNoUpgrade\n${p384}`, { image });
    const result = await resolve([releaseSettings], testContext({ files }));
    expect(problemsOf(result).map(({ code, message }) => `${code}: ${message}`)).toEqual(want);
  });
});
