import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { authority } from '../../../src/assets/config/authority.js';
import { problemsOf } from '../../../src/core/result.js';
import { resolve } from '../../../src/graph/engine.js';
import { testContext, type TestInputs } from '../../support/context.js';
import {
  authorityExtensions,
  issueCertificate,
  type IssuedCertificate,
} from '../../support/made-authority.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { openssl, verifies } from '../../support/openssl.js';
import { makePki, type Pki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const [, ...withoutConstraints] = authorityExtensions;

function configs(body = ''): Readonly<Record<string, string>> {
  const authority = `  authority:\n    certificate: chain.pem\n    key: authority.key\n${body}`;
  return {
    'install-config.yaml': minimalInstallConfig,
    'sno-config.yaml': snoConfigText(`certificates:\n  validity: 30d\n${authority}`),
  };
}

const filesOf = ({ certPem, keyPem }: IssuedCertificate, above = ''): Readonly<Record<string, string>> => ({
  'chain.pem': `${certPem}${above}`,
  'authority.key': keyPem,
});

/** Problems of an authority with their places. */
async function faultsOf(files: TestInputs['files'], body = ''): Promise<readonly string[]> {
  const made = await resolve([authority], testContext({ files: { ...configs(body), ...files } }));
  return problemsOf(made).map(
    ({ code, at, message }) => `${code} ${at?.file ?? ''}:${at?.line ?? ''} ${message}`,
  );
}

describeWith(['openssl'], 'an authority of the user', () => {
  let root: IssuedCertificate;
  let sound: IssuedCertificate;
  beforeAll(() => {
    root = issueCertificate({ subject: '/O=Example Corp/CN=Root' });
    sound = issueCertificate({ by: root });
  });

  test('is accepted with its root, without it, and as the root itself', async () => {
    expect(await faultsOf(filesOf(sound, root.certPem))).toEqual([]);
    expect(await faultsOf(filesOf(sound))).toEqual([]);
    expect(await faultsOf(filesOf(root))).toEqual([]);
  });

  test.each([
    ['EC, SEC1', ['ec']],
    ['RSA, PKCS#1', ['rsa', '-traditional']],
    ['RSA, PKCS#8', ['pkey']],
    ['P-384', ['pkey']],
  ])('may have a key of %s', async (name, [form = '', ...options]) => {
    const key = name.startsWith('RSA')
      ? ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
      : ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${name === 'P-384' ? 'P-384' : 'P-256'}`];
    const made = issueCertificate({ by: root, key });
    const { stdout } = openssl([form, ...options], made.keyPem);
    expect(stdout).toContain('PRIVATE KEY');
    expect(await faultsOf({ ...filesOf(made), 'authority.key': stdout })).toEqual([]);
  });

  const of = (message: string, line = 1): string =>
    `config/authority chain.pem:${line} certificates.authority.certificate: certificate 1 ${message}`;
  const ofKey = (message: string): string =>
    `config/authority authority.key:1 certificates.authority.key: ${message}`;

  test.each([
    {
      name: 'is of nobody who signs',
      extensions: ['basicConstraints = CA:FALSE'],
      want: ['is not a CA certificate (basicConstraints)'],
    },
    {
      name: 'may not sign certificates',
      extensions: ['basicConstraints = CA:TRUE', 'keyUsage = cRLSign'],
      want: ['may not sign certificates (keyUsage without keyCertSign)'],
    },
    {
      name: 'leaves no room for two authorities below it',
      extensions: ['basicConstraints = critical, CA:TRUE, pathlen:1', ...withoutConstraints],
      want: ['has a path length of 1, and 2 authorities stand below it'],
    },
    {
      name: 'has ended',
      until: '20260101000000Z',
      want: ['ends at 2026-01-01T00:00:00Z, and certificates.validity asks for 2026-02-01T03:04:05Z'],
    },
    {
      name: 'ends too soon',
      until: '20260115000000Z',
      want: ['ends at 2026-01-15T00:00:00Z, and certificates.validity asks for 2026-02-01T03:04:05Z'],
    },
    {
      name: 'has not begun',
      from: '20260103000000Z',
      want: ['begins at 2026-01-03T00:00:00Z only, after 2026-01-02T03:04:05Z'],
    },
    {
      name: 'is signed with SHA-1',
      digest: 'sha1',
      want: ['is signed with SHA-1 or MD5, which Go rejects'],
    },
    {
      name: 'has a short key',
      key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
      want: ['has an RSA key of 1024 bits, at least 2048 are required'],
    },
    {
      name: 'is for clients alone',
      extensions: [...authorityExtensions, 'extendedKeyUsage = clientAuth'],
      want: ['is not valid for CAs of servers (extendedKeyUsage without serverAuth)'],
    },
    {
      name: 'is for another domain',
      extensions: [...authorityExtensions, 'nameConstraints = critical, permitted;DNS:example.org'],
      want: ['has name constraints that exclude localhost and 10 more'],
    },
    {
      name: 'is for no addresses',
      extensions: [...authorityExtensions, 'nameConstraints = excluded;IP:0.0.0.0/0.0.0.0'],
      want: ['has name constraints that exclude 127.0.0.1 and 1 more'],
    },
    {
      name: 'is for names of one organisation',
      extensions: [...authorityExtensions, 'nameConstraints = permitted;email:example.com'],
      want: ['has name constraints of a form other than DNS names and addresses, which are not supported'],
    },
  ])('is refused that $name', async (given) => {
    const made = issueCertificate({ by: root, ...given });
    expect(await faultsOf(filesOf(made, root.certPem))).toEqual(given.want.map((fault) => of(fault)));
  });

  test('may be restricted to the needs of the listed signers', async () => {
    const one = '    signs: [kube-apiserver-lb-signer]\n';
    const narrow = issueCertificate({
      by: root,
      extensions: [
        'basicConstraints = critical, CA:TRUE, pathlen:1',
        ...withoutConstraints,
        'extendedKeyUsage = serverAuth',
        'nameConstraints = critical, permitted;DNS:example.com',
      ],
    });
    expect(await faultsOf(filesOf(narrow, root.certPem), one)).toEqual([]);
    expect(await faultsOf(filesOf(narrow, root.certPem))).toHaveLength(3);
    expect(await faultsOf(filesOf(sound), '    signs: []\n')).toEqual([
      'config/authority sno-config.yaml:8 certificates.authority.signs is empty',
    ]);
  });

  test('is refused in another order, with another key, or without one', async () => {
    const other = issueCertificate({ subject: '/CN=Other' });
    const lines = sound.certPem.split('\n').length;
    expect(await faultsOf({ ...filesOf(sound), 'chain.pem': `${sound.certPem}${other.certPem}` })).toEqual([
      of('is not signed by the next one: order the chain from the CA to the root'),
    ]);
    expect(await faultsOf({ ...filesOf(root), 'chain.pem': `${root.certPem}${sound.certPem}` })).toEqual([
      of('is self-signed but not the last one: the root must be last'),
    ]);
    expect(await faultsOf({ ...filesOf(sound), 'authority.key': other.keyPem })).toEqual([
      ofKey('does not belong to the first certificate of certificates.authority.certificate'),
    ]);
    expect(await faultsOf({ ...filesOf(sound), 'authority.key': sound.certPem })).toEqual([
      ofKey('contains no PEM private key'),
    ]);
    const { stdout: encrypted } = openssl(['pkey', '-aes256', '-passout', 'pass:a'], sound.keyPem);
    expect(await faultsOf({ ...filesOf(sound), 'authority.key': encrypted })).toEqual([
      ofKey('is encrypted: decrypt it into a variable or a pipe, such as with `openssl pkey`'),
    ]);
    const curve = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'];
    expect(await faultsOf(filesOf(issueCertificate({ by: root, key: curve })))).toEqual([
      ofKey('is not an RSA, ECDSA P-256 or ECDSA P-384 key'),
    ]);
    expect(
      await faultsOf({ ...filesOf(sound), 'chain.pem': `${sound.certPem}-----BEGIN CERTIFICATE-----\n` }),
    ).toEqual([
      `config/authority chain.pem:${lines} certificates.authority.certificate: cannot be read: it has no END line`,
    ]);
    expect(await faultsOf({ 'authority.key': sound.keyPem })).toEqual([
      'config/reference sno-config.yaml:6 the certificates.authority.certificate "chain.pem" does not exist',
    ]);
  });

  test('is trusted with its root, only for servers', async () => {
    const middle = issueCertificate({ by: root, subject: '/O=Example Corp/CN=Middle' });
    const lowest = issueCertificate({ by: middle, subject: '/O=Example Corp/CN=Lowest' });
    const files = { ...configs(), ...filesOf(lowest, `${middle.certPem}${root.certPem}`) };
    const { leaves, signers, bundles } = await makePki({ files });
    const above = `${lowest.certPem}${middle.certPem}`;

    for (const [name, signer] of [
      ['kube-apiserver-lb-server', 'kube-apiserver-lb-signer'],
      ['kube-apiserver-internal-lb-server', 'kube-apiserver-lb-signer'],
      ['kube-apiserver-localhost-server', 'kube-apiserver-localhost-signer'],
      ['kube-apiserver-service-network-server', 'kube-apiserver-service-network-signer'],
    ] as const) {
      const { certPem, chainPem } = leaves[name];
      expect(chainPem).toBe(`${certPem}${signers[signer].certPem}${above}`);
      expect(verifiesShown(chainPem, root.certPem)).toBe(true);
      expect(verifies(certPem, root.certPem, 'sslserver')).toBe(false);
    }
    for (const pem of [...Object.values(bundles), ...Object.values(clientChains(leaves))])
      for (const each of [lowest, middle, root]) expect(pem.includes(each.certPem)).toBe(false);
    expect(signers['kubelet-signer'].chainPem).toBe(signers['kubelet-signer'].certPem);
    expect(signers['aggregator-signer'].issuerCommonName).toBe('aggregator-signer');
    expect(signers['kubelet-signer'].issuerCommonName).toBe('Lowest');
  });

  test('issues the same certificates from the same generated values', async () => {
    const files = { ...configs(), ...filesOf(sound, root.certPem) };
    const [first, second] = [await makePki({ files }), await makePki({ files })];
    expect(first.leaves['admin-kubeconfig-client'].certPem).toBe(
      second.leaves['admin-kubeconfig-client'].certPem,
    );
    expect(first.signers['kube-apiserver-lb-signer'].notAfter.toISOString()).toBe('2035-01-01T00:00:00.000Z');
  });
});

function clientChains(leaves: Pki['leaves']): Readonly<Record<string, string>> {
  const clients = Object.entries(leaves).filter(([name]) => name.endsWith('-client'));
  return Object.fromEntries(clients.map(([name, { chainPem }]) => [name, chainPem]));
}

function written(text: string): string {
  const path = join(scratchFolder(), 'text.pem');
  writeFileSync(path, text);
  return path;
}

/** Whether openssl verifies a server with this chain and one trusted root. */
function verifiesShown(chainPem: string, rootPem: string): boolean {
  const at = String(Date.parse('2026-01-03T00:00:00Z') / 1000);
  const args = ['verify', '-attime', at, '-purpose', 'sslserver', '-x509_strict', '-trusted'];
  const chain = written(chainPem);
  return openssl([...args, written(rootPem), '-untrusted', chain, chain]).code === 0;
}
