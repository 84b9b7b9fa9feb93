import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { boundServiceAccountKey } from '../../src/assets/tls/bound-service-account-key.js';
import { sortedRecord } from '../../src/core/map-record.js';
import { resolve } from '../../src/graph/engine.js';
import { bundleCatalog } from '../../src/pki/installer-bundles.js';
import { leafCatalog, signerCatalog } from '../../src/pki/installer-catalog.js';
import { testContext } from '../support/context.js';
import { makePki } from '../support/pki.js';

const folder = '/opt/openshift/tls';

/** Files and modes according to the catalogs. */
const catalogFiles: readonly (readonly [string, number])[] = [
  ...Object.entries({ ...signerCatalog, ...leafCatalog }).flatMap(
    ([base, { onNode }]): [string, number][] => {
      switch (onNode) {
        case 'key and certificate':
          return [
            [`${base}.key`, 0o600],
            [`${base}.crt`, 0o600],
          ];
        case 'certificate':
          return [[`${base}.crt`, 0o644]];
        case 'nothing':
          return [];
      }
    },
  ),
  ...Object.keys(bundleCatalog).map((base): [string, number] => [`${base}.crt`, 0o600]),
  ['service-account.key', 0o600],
  ['service-account.pub', 0o600],
];

describe('the files of /opt/openshift/tls', () => {
  it('are those of the catalogs; all except the root certificate are private', async () => {
    const { nodeFiles } = await makePki();

    const files = nodeFiles.map(({ path, mode }) => [path, mode] as const);
    expect(sortedRecord(files)).toEqual(
      sortedRecord(catalogFiles.map(([name, mode]) => [`${folder}/${name}`, mode])),
    );
    expect(files).toHaveLength(catalogFiles.length);
  });

  it('contain no private key that must not leave the directory', async () => {
    const { nodeFiles, signers, leaves } = await makePki();
    const everything = nodeFiles.map(({ contents }) => String(contents)).join('');

    const staying = [
      signers['root-ca'],
      signers['admin-kubeconfig-signer'],
      signers['kubelet-bootstrap-kubeconfig-signer'],
      leaves['admin-kubeconfig-client'],
    ];
    for (const { keyPem, commonName } of staying)
      expect(everything.includes(keyPem.reveal()), commonName).toBe(false);
    expect(everything).toContain(signers['kubelet-signer'].keyPem.reveal());
  });

  it('are the same in every run', async () => {
    expect((await makePki()).nodeFiles).toEqual((await makePki()).nodeFiles);
  });
});

describe('a signing key of the user for bound service-account tokens', () => {
  const path = 'tls/bound-service-account-signing-key.key';
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

  it.each(['pkcs1', 'pkcs8'] as const)('goes to the node with its public half (%s)', async (type) => {
    const keyPem = rsa.privateKey.export({ type, format: 'pem' }).toString();

    const { nodeFiles } = await makePki({ files: { [path]: keyPem } });

    const found = nodeFiles.filter((file) => file.path.includes('bound-service-account'));
    expect(found).toEqual([
      { path: `${folder}/bound-service-account-signing-key.key`, mode: 0o600, contents: keyPem },
      { path: `${folder}/bound-service-account-signing-key.pub`, mode: 0o600, contents: publicPem },
    ]);
  });

  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const noKey = 'is not an RSA private key in PEM';
  const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'throwaway' } as const;
  it.each([
    {
      name: 'of another kind',
      given: ec.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      fault: noKey,
    },
    { name: 'that is public', given: publicPem, fault: noKey },
    { name: 'with a passphrase', given: rsa.privateKey.export(encrypted).toString(), fault: noKey },
    { name: 'that is no key', given: 'secret text', fault: noKey },
    {
      name: 'that is short',
      given: short.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      fault: 'holds an RSA key of 1024 bits, expected at least 2048',
    },
  ])('$name is a problem that does not show it', async ({ given, fault }) => {
    const result = await resolve([boundServiceAccountKey], testContext({ files: { [path]: given } }));

    expect(!result.ok && result.problems).toEqual([
      {
        code: 'tls/bound-key',
        severity: 'error',
        message: `${path} ${fault}`,
        at: { file: path },
        hint: 'use an RSA key (PKCS#1 or PKCS#8, without a passphrase), or remove the file',
        asset: 'tls/bound-service-account-signing-key',
      },
    ]);
  });
});
