import { spawnSync } from 'node:child_process';

import { beforeAll, expect, test } from 'vitest';

import { issueCertificate } from '../../support/made-authority.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { makePki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';
import { buildTimeoutMs, toolPath } from '../control-plane/support/tools.js';

/** A peer's certificates, and the roots that the other side trusts. */
interface Chain {
  readonly roots: string;
  readonly shown: string;
  /** Server name; undefined for a client. */
  readonly name?: string;
}

const body = 'certificates:\n  authority: { certificate: chain.pem, key: authority.key }\n';

describeWith(['go', 'openssl'], "certificates below an authority of the user's", () => {
  let program = '';
  beforeAll(async () => {
    program = await toolPath('go-readers', 'go-readers');
  }, buildTimeoutMs);

  /** Length of the verified chain, or the error. */
  function waysOf(chains: readonly Chain[]): readonly unknown[] {
    const questions = chains.map((chain) => ({
      reader: 'crypto/x509 chain',
      text: JSON.stringify({
        ...chain,
        usage: chain.name === undefined ? 'client' : 'server',
        time: '2026-01-03T00:00:00Z',
      }),
    }));
    const { stdout, stderr, status } = spawnSync(program, {
      input: JSON.stringify(questions),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const answers = JSON.parse(stdout) as readonly { readonly error: string; readonly value: unknown }[];
    return answers.map(({ error, value }) => (error === '' ? value : error));
  }

  test.each([
    ['RSA-2048', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072']],
    ['ECDSA-P256', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384']],
  ])('crypto/x509 accepts certificates only for their purpose: %s', async (keyAlgorithm, key) => {
    const root = issueCertificate({ subject: '/O=Example Corp/CN=Root' });
    const middle = issueCertificate({ by: root, subject: '/O=Example Corp/CN=Middle' });
    const own = issueCertificate({ by: middle, subject: '/O=Example Corp/CN=Clusters', key });
    const { leaves, signers, bundles } = await makePki({
      files: {
        'install-config.yaml': minimalInstallConfig,
        'sno-config.yaml': snoConfigText(`${body}  keyAlgorithm: ${keyAlgorithm}\n`),
        'chain.pem': `${own.certPem}${middle.certPem}${root.certPem}`,
        'authority.key': own.keyPem,
      },
    });
    const api = { shown: leaves['kube-apiserver-lb-server'].chainPem, name: 'api.site1.example.com' };
    const admin = leaves['admin-kubeconfig-client'].chainPem;
    const clients = bundles['kube-apiserver-complete-client-ca-bundle'];
    /** Another client certificate below the same root. */
    const stranger = issueCertificate({
      by: issueCertificate({ by: middle, subject: '/O=Example Corp/CN=Mail' }),
      subject: '/O=system:masters/CN=system:admin',
      extensions: [
        'basicConstraints = CA:FALSE',
        'extendedKeyUsage = clientAuth, serverAuth',
        'subjectAltName = DNS:api.site1.example.com',
      ],
    });
    const unknown = 'x509: certificate signed by unknown authority';
    const said = waysOf([
      // From the root the chain has five certificates: leaf, signer, authority, the CA above it, and the root.
      { ...api, roots: root.certPem },
      { ...api, roots: root.certPem, shown: leaves['kube-apiserver-lb-server'].certPem },
      // The kubeconfig trusts the signer, which is not self-signed; the chain ends there.
      { ...api, roots: bundles['kube-apiserver-complete-server-ca-bundle'] },
      { ...api, roots: bundles['kube-apiserver-complete-server-ca-bundle'], shown: stranger.certPem },
      { roots: clients, shown: admin },
      { roots: clients, shown: stranger.certPem },
      { roots: clients, shown: `${stranger.certPem}${middle.certPem}` },
      {
        roots: bundles['kubelet-client-ca-bundle'],
        shown: leaves['kube-apiserver-to-kubelet-client'].certPem,
      },
      {
        roots: signers['root-ca'].certPem,
        shown: leaves['machine-config-server'].chainPem,
        name: 'api-int.site1.example.com',
      },
    ]).map((each) => (typeof each === 'string' ? each.slice(0, unknown.length) : each));

    expect(said).toEqual([5, unknown, 2, unknown, 2, unknown, unknown, unknown, 2]);
  });
});
