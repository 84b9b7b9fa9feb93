import { createPrivateKey } from 'node:crypto';

import { expect, it } from 'vitest';

import { leaves, signers } from '../../../src/assets/tls/certificates.js';
import { leafCatalog, type LeafName } from '../../../src/pki/installer-catalog.js';
import type { KeyAlgorithm } from '../../../src/config/schema/sno-config-schema.js';
import { generatedValues } from '../../../src/run/effects/generated-values.js';
import { resolve } from '../../../src/graph/engine.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { summaryOf, verifies } from '../../support/openssl.js';
import { makePki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';

const leafNames = Object.keys(leafCatalog) as LeafName[];

function filesFor(algorithm: KeyAlgorithm): Readonly<Record<string, string>> {
  return { 'sno-config.yaml': snoConfigText(`certificates: { keyAlgorithm: ${algorithm} }\n`) };
}

describeWith(['openssl'], 'key algorithms, as openssl sees them', () => {
  const curves = [
    { algorithm: 'ECDSA-P256', namedCurve: 'prime256v1', signature: 'ecdsa-with-SHA256' },
    { algorithm: 'ECDSA-P384', namedCurve: 'secp384r1', signature: 'ecdsa-with-SHA384' },
  ] as const;
  it.each(curves)(
    '$algorithm is that of every authority and leaf, and all of them verify',
    async ({ algorithm, namedCurve }) => {
      const {
        signers: authorities,
        leaves: pairs,
        serviceAccount,
      } = await makePki({
        files: filesFor(algorithm),
      });

      const keys = [...Object.values(authorities), ...Object.values(pairs)].map(({ keyPem }) =>
        keyPem.reveal(),
      );
      expect(keys.map((pem) => createPrivateKey(pem).asymmetricKeyDetails)).toEqual(
        keys.map(() => ({ namedCurve })),
      );
      const verified = leafNames.map((base) =>
        verifies(pairs[base].certPem, authorities[leafCatalog[base].signer].certPem, 'any'),
      );
      expect(verified).toEqual(leafNames.map(() => true));
      // Tokens are signed with RS256, whatever the key algorithm of the certificates is.
      expect(createPrivateKey(serviceAccount.keyPem.reveal()).asymmetricKeyDetails).toMatchObject({
        modulusLength: 2048,
      });
    },
  );

  it.each(curves)('$algorithm keys are not for encipherment', async ({ algorithm, signature }) => {
    const { signers: authorities, leaves: pairs } = await makePki({ files: filesFor(algorithm) });

    const [root, leaf] = [authorities['root-ca'], pairs['journal-gatewayd']].map(({ certPem }) =>
      summaryOf(certPem),
    );
    expect([root?.signature, root?.usage]).toEqual([signature, 'Digital Signature, Certificate Sign']);
    expect([leaf?.signature, leaf?.usage]).toEqual([signature, 'Digital Signature']);
    expect(leaf?.authorityKey).toBe(root?.subjectKey);
  });

  it.each([3072, 4096] as const)('RSA-%i is that of an authority and its leaf', async (modulusLength) => {
    const files = { 'install-config.yaml': minimalInstallConfig, ...filesFor(`RSA-${modulusLength}`) };
    const leaf = leaves['machine-config-server'];
    const result = await resolve([leaf], {
      ...testContext({ files }),
      valueSource: generatedValues({}).valueSource,
    });
    if (!result.ok) throw new Error('the config has problems');
    const [issued, root] = [result.value.valueOf(leaf), result.value.valueOf(signers['root-ca'])];

    const details = [issued, root].map(
      ({ keyPem }) => createPrivateKey(keyPem.reveal()).asymmetricKeyDetails,
    );
    expect(details).toEqual(details.map(() => ({ modulusLength, publicExponent: 65_537n })));
    expect(verifies(issued.certPem, root.certPem, 'sslserver')).toBe(true);
  });
});
