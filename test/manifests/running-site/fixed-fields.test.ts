import { expect, it } from 'vitest';

import { machineConfig, type MachineSettings } from '../../../src/kube/machine-config.js';
import type { KubeObject } from '../../../src/kube/object.js';
import { changedFixedField } from '../../../src/manifests/running-site/fixed-fields.js';

const setting = (kind: string, spec: object): KubeObject => ({
  apiVersion: 'config.openshift.io/v1',
  kind,
  metadata: { name: 'cluster' },
  spec,
});
const config = (settings: MachineSettings): KubeObject => machineConfig('master', '99-a', settings);
const file = (path: string, contents: string): KubeObject =>
  config({ files: [{ path, mode: 0o600, contents }] });
const profile = '/etc/NetworkManager/system-connections/eth0.nmconnection';
const withDisks = (disks: object): KubeObject => ({
  ...config({}),
  spec: { config: { ignition: { version: '3.2.0' }, storage: { disks } } },
});

it.each<{ name: string; live?: KubeObject; wanted: KubeObject; want: string | undefined }>([
  {
    name: 'another pod network',
    live: setting('Network', { clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }] }),
    wanted: setting('Network', { clusterNetwork: [{ cidr: '10.132.0.0/14', hostPrefix: 23 }] }),
    want: 'clusterNetwork',
  },
  {
    name: 'another policy for external addresses',
    live: setting('Network', { networkType: 'OVNKubernetes', externalIP: { policy: {} } }),
    wanted: setting('Network', { networkType: 'OVNKubernetes', externalIP: {} }),
    want: undefined,
  },
  {
    name: 'another domain',
    live: setting('DNS', { baseDomain: 'a.example.com' }),
    wanted: setting('DNS', { baseDomain: 'b.example.com' }),
    want: 'baseDomain',
  },
  {
    name: 'a component route',
    live: setting('Ingress', { domain: 'apps.a.example.com' }),
    wanted: setting('Ingress', { domain: 'apps.a.example.com', componentRoutes: [] }),
    want: undefined,
  },
  { name: 'a new setting', wanted: setting('DNS', { baseDomain: 'a.example.com' }), want: undefined },
  { name: 'another proxy', live: setting('Proxy', {}), wanted: setting('Proxy', { a: 1 }), want: undefined },
  { name: 'FIPS', live: config({}), wanted: config({ fips: true }), want: 'fips' },
  { name: 'a new MachineConfig with FIPS', wanted: config({ fips: true }), want: 'fips' },
  {
    name: 'a new layout of a disk',
    wanted: withDisks([{ device: '/dev/sdb' }]),
    want: 'config.storage.disks',
  },
  {
    name: 'the same layout of a disk',
    live: withDisks([{ device: '/dev/sdb' }]),
    wanted: withDisks([{ device: '/dev/sdb' }]),
    want: undefined,
  },
  { name: 'a name', wanted: file('/etc/hostname', 'a\n'), want: '/etc/hostname' },
  {
    name: 'a name in another encoding',
    live: {
      ...config({}),
      spec: {
        config: {
          storage: { files: [{ path: '/etc/hostname', contents: { source: 'data:;base64,YQo=' } }] },
        },
      },
    },
    wanted: file('/etc/hostname', 'a\n'),
    want: undefined,
  },
  {
    name: 'an address',
    live: file(profile, '[ipv4]\naddress1=192.0.2.1/24,192.0.2.254\n'),
    wanted: file(profile, '[ipv4]\naddress1=192.0.2.2/24,192.0.2.254\n'),
    want: 'the addresses of the node',
  },
  {
    name: 'another gateway and name server',
    live: file(profile, '[ipv4]\naddress1=192.0.2.1/24,192.0.2.254\n'),
    wanted: file(profile, '[ipv4]\naddress1=192.0.2.1/24,192.0.2.253\ndns=192.0.2.53;\n'),
    want: undefined,
  },
  {
    name: 'a new profile with an address',
    wanted: file(profile, 'addresses1=192.0.2.9/24\n'),
    want: 'the addresses of the node',
  },
  { name: 'a new profile without address', wanted: file(profile, '[ipv4]\nmethod=auto\n'), want: undefined },
])('$name', ({ live, wanted, want }) => {
  expect(changedFixedField(live, wanted)).toBe(want);
});
