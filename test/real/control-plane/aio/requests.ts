import { expect, test } from 'vitest';

import { waitUntil } from '../support/wait-until.js';
import { kubeletIdentity, type NodeUnderTest } from './node.js';

const client = {
  signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
  usages: ['digital signature', 'client auth'],
};
const serving = { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] };

/** Tests that certificate requests of this node's kubelet are approved, and no others. */
export function requestTests(
  node: NodeUnderTest,
  { hostname, address }: { hostname: string; address: string },
): void {
  const { machine, kubectl, kubectlAs } = node;
  const own = `/O=system:nodes/CN=system:node:${hostname}`;
  const ownNames = `DNS:${hostname},IP:${address}`;
  const cases: readonly Case[] = [
    { name: 'own-client', subject: own, ...client, isOurs: true },
    { name: 'own-serving', subject: own, names: ownNames, ...serving, isOurs: true },
    {
      name: 'other-node-client',
      subject: '/O=system:nodes/CN=system:node:other',
      ...client,
      isByAdmin: true,
    },
    {
      name: 'other-node-serving',
      subject: '/O=system:nodes/CN=system:node:other',
      names: ownNames,
      ...serving,
      isByAdmin: true,
    },
    { name: 'foreign-name', subject: own, names: `${ownNames},DNS:api.example.com`, ...serving },
    { name: 'foreign-address', subject: own, names: `${ownNames},IP:203.0.113.1`, ...serving },
    { name: 'client-with-names', subject: own, names: ownNames, ...client },
    { name: 'by-another-client', subject: own, ...client, isByAdmin: true },
    { name: 'by-another-serving', subject: own, names: ownNames, ...serving, isByAdmin: true },
    {
      name: 'another-signer',
      subject: own,
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: client.usages,
    },
  ];

  test('approves only requests of its kubelet for its own names', async () => {
    expect(await machine().exec(['systemctl', 'is-active', 'sno-approve.timer'])).toBe('active\n');
    // Kubernetes rejects a kubelet's requests for another node. Our script must reject those of other clients.
    const forOther = await ask({
      name: 'for-other',
      subject: '/O=system:nodes/CN=system:node:other',
      ...client,
    });
    expect(forOther).toContain(`can only create a node CSR with CN=system:node:${hostname}`);
    for (const each of cases) expect(await ask(each)).toBe('');
    // As the timer does.
    await machine().exec(['systemctl', 'start', 'sno-approve.service']);
    const conditions = await kubectl([
      'get',
      'csr',
      '--output=jsonpath={range .items[*]}{.metadata.name} {.status.conditions[*].type}{"\\n"}{end}',
    ]);
    const found = conditions
      .split('\n')
      .filter((line) => cases.some(({ name }) => line.startsWith(`${name} `)));
    expect(found.toSorted()).toEqual(
      cases.map(({ name, isOurs }) => `${name} ${isOurs === true ? 'Approved' : ''}`).toSorted(),
    );
    for (const name of ['own-client', 'own-serving'])
      await waitUntil(`the certificate of ${name}`, async () => {
        const certificate = await kubectl(['get', 'csr', name, '--output=jsonpath={.status.certificate}']);
        return certificate === '' ? undefined : certificate;
      });
  });

  /** Returns kubectl's error output. */
  async function ask({ name, subject, names, signerName, usages, isByAdmin }: Case): Promise<string> {
    const extension = names === undefined ? [] : ['-addext', `subjectAltName=${names}`];
    const request = await machine().exec([
      ...[
        'openssl',
        'req',
        '-new',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        '/dev/null',
      ],
      ...['-subj', subject, ...extension],
    ]);
    const object = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { request: Buffer.from(request).toString('base64'), signerName, usages },
    };
    const create = ['create', '--validate=false', '--filename=-'];
    if (isByAdmin !== true) return (await kubectlAs(kubeletIdentity, create, object)).stderr;
    await kubectl(create, object);
    return '';
  }
}

interface Case {
  readonly name: string;
  readonly subject: string;
  readonly names?: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly isOurs?: boolean;
  readonly isByAdmin?: boolean;
}
