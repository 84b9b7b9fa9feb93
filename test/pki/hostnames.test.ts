import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { makePki } from '../support/pki.js';

const names = ['kubernetes', 'openshift'].flatMap((base) =>
  ['', '.default', '.default.svc', '.default.svc.cluster.local'].map((suffix) => `${base}${suffix}`),
);

describe('the names of the API inside the cluster', () => {
  const cases = [
    { name: 'minimal', addresses: ['172.30.0.1'], written: ['172.30.0.1'] },
    { name: 'ipv6', addresses: ['fd02::1'], written: ['FD02:0:0:0:0:0:0:1'] },
    {
      name: 'dual-stack',
      addresses: ['172.30.0.1', 'fd02::1'],
      written: ['172.30.0.1', 'FD02:0:0:0:0:0:0:1'],
    },
  ];
  it.each(cases)('include the first address of every service network: $name', async ({ name, ...want }) => {
    const installConfig = readFileSync(`fixtures/configs/${name}/install-config.yaml`, 'utf8');

    const { leaves } = await makePki({ files: { 'install-config.yaml': installConfig } });

    const { hostnames, certPem } = leaves['kube-apiserver-service-network-server'];
    expect(hostnames).toEqual([...names, ...want.addresses]);
    expect(new X509Certificate(certPem).subjectAltName).toBe(
      [...names.map((each) => `DNS:${each}`), ...want.written.map((each) => `IP Address:${each}`)].join(', '),
    );
  });
});
