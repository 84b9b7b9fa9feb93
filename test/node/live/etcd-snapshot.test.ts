import { expect, test } from 'vitest';

import { etcdSnapshotFiles } from '../../../src/assets/live/live-system.js';
import { resolve } from '../../../src/graph/engine.js';
import { etcdSnapshot } from '../../../src/node/live/etcd-snapshot.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';

const unfilled = {
  file: 'snapshot.db.gz',
  sha256: null,
  sizeBytes: null,
  revision: null,
  totalKeys: null,
  etcdVersion: null,
  etcdImage: null,
  takenAt: null,
};
const member = { initialClusterToken: 'etcd-cluster', dataDir: '/var/lib/etcd' };

test.each([
  {
    name: 'nothing is known of the node',
    given: '',
    want: { node: { hostname: null, address: null }, member: { ...member, name: null, peerURL: null } },
  },
  {
    name: 'a host name and an address',
    given: 'hostname: sno1\nnodeIP: 192.168.126.10\ncontrolPlane: { render: Installer }\n',
    want: {
      node: { hostname: 'sno1', address: '192.168.126.10' },
      member: { ...member, name: 'sno1', peerURL: 'https://192.168.126.10:2380' },
    },
  },
  {
    name: "the operators' name of the member",
    given: 'hostname: sno1\n',
    want: {
      node: { hostname: 'sno1', address: null },
      member: { ...member, name: 'etcd-sno1', peerURL: null },
    },
  },
])('the description of the snapshot: $name', async ({ given, want }) => {
  const files = {
    'install-config.yaml': minimalInstallConfig,
    ...(given && { 'sno-config.yaml': snoConfigText(given) }),
  };
  const result = await resolve([etcdSnapshotFiles], testContext({ files }));
  if (!result.ok) throw new Error('the config has problems');
  const [file, ...others] = result.value.valueOf(etcdSnapshotFiles);
  expect({ path: file?.path, mode: file?.mode, others }).toEqual({
    path: '/opt/openshift/etcd-snapshot/snapshot.json',
    mode: 0o600,
    others: [],
  });
  const { clusterID, ...rest } = JSON.parse(file?.contents.toString() ?? '') as { clusterID: string };
  expect(clusterID).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(rest).toEqual({
    apiVersion: 'sno-install/v1alpha1',
    kind: 'EtcdSnapshot',
    ...want,
    snapshot: unfilled,
  });
});

test('writes an IPv6 address in brackets, as etcd does', () => {
  expect(etcdSnapshot({ nodeIP: 'FD2E:6F44:0::10', renderedBy: 'Installer' }, 'id').member.peerURL).toBe(
    'https://[fd2e:6f44::10]:2380',
  );
});
