import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { copyFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';

import { etcdImage, usualEnvText } from './machine-files.js';
import { emptyMachine, put, type Machine } from './machine.js';

const script = 'sno-etcd-restore.sh';
const carried = 'templates/live/opt/openshift/bootstrap-in-place';
const bytes = 'a snapshot of etcd\n';
const description = {
  member: {
    name: 'etcd-sno1',
    peerURL: 'https://192.168.126.10:2380',
    initialClusterToken: 'etcd-cluster',
    dataDir: '/var/lib/etcd',
  },
  snapshot: { sha256: createHash('sha256').update(bytes).digest('hex'), etcdImage },
};

/** The installed node before its kubelet's first start. */
function installed(): Machine {
  const machine = emptyMachine();
  const bin = join(machine.root, 'usr/local/bin');
  machine.write('usr/local/bin/.keep', '');
  for (const name of ['bootstrap-service-record.sh', 'release-image.sh', 'sno-common.sh', 'sno-etcd.sh'])
    copyFileSync(resolve('templates/live/usr/local/bin', name), join(bin, name));
  copyFileSync(resolve(carried, script), join(bin, script));
  machine.write('opt/openshift/sno-install.env', usualEnvText);
  machine.write('opt/openshift/etcd-snapshot/snapshot.json', JSON.stringify(description));
  put(join(machine.root, 'opt/openshift/etcd-snapshot/snapshot.db.gz'), gzipSync(bytes));
  return machine;
}

describeWith(['bash', 'jq'], 'sno-etcd-restore.sh', () => {
  test('restores the member with its old name and address, readable only by root', () => {
    const machine = installed();
    machine.write('var/lib/kubelet/config.json', '{}');
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('podman')).toEqual([
      `image exists ${etcdImage}`,
      `pull --quiet --authfile /var/lib/kubelet/config.json ${etcdImage}`,
      'run --quiet --rm --replace --name=etcd-tool --log-driver=none --user=0 --security-opt=label=disable ' +
        `--volume=/opt/openshift/etcd-snapshot:/snapshot --net=none --entrypoint=sh ${etcdImage} ` +
        '-c command -v etcdutl || command -v etcdctl',
      'run --quiet --rm --replace --name=etcd-tool --log-driver=none --user=0 --security-opt=label=disable ' +
        '--volume=/opt/openshift/etcd-snapshot:/snapshot --net=none --volume=/var/lib/etcd:/var/lib/etcd ' +
        `--entrypoint=etcdutl ${etcdImage} snapshot restore /snapshot/snapshot.db --data-dir=/var/lib/etcd/restored ` +
        '--name=etcd-sno1 --initial-cluster=etcd-sno1=https://192.168.126.10:2380 ' +
        '--initial-advertise-peer-urls=https://192.168.126.10:2380 --initial-cluster-token=etcd-cluster',
    ]);
    expect(readdirSync(join(machine.root, 'var/lib/etcd'))).toEqual(['member']);
    expect(machine.read('var/lib/etcd/member/snap/db')).toBe(bytes);
    const modes = [
      'var/lib/etcd',
      'var/lib/etcd/member',
      'var/lib/etcd/member/snap',
      'var/lib/etcd/member/snap/db',
    ];
    expect(modes.map((path) => machine.modeOf(path))).toEqual(['700', '700', '700', '600']);
    expect(machine.has('opt/openshift/etcd-snapshot/snapshot.db')).toBe(false);
    expect(machine.calls('restorecon')).toEqual(['-R /var/lib/etcd']);
  });

  test('does nothing at a second start', () => {
    const machine = installed();
    machine.run(script);
    machine.forgetCalls();
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('podman')).toEqual([]);
  });

  test('keeps a data folder with a member', () => {
    const machine = installed();
    machine.write('var/lib/etcd/member/snap/db', 'of a cluster that runs');
    const { status, stderr } = machine.run(script);
    expect(status).toBe(0);
    expect(stderr).toContain('/var/lib/etcd has a member already: it is left as it is\n');
    expect(machine.calls('podman')).toEqual([]);
    expect(machine.read('var/lib/etcd/member/snap/db')).toBe('of a cluster that runs');
  });

  test('removes the files of an interrupted restore and starts again', () => {
    const machine = installed();
    machine.write('var/lib/etcd/restored/member/snap/db', 'half of it');
    expect(machine.run(script).status).toBe(0);
    expect(machine.read('var/lib/etcd/member/snap/db')).toBe(bytes);
  });

  test.each<{ name: string; given: (machine: Machine) => void; want: string }>([
    {
      name: 'a snapshot that differs from the recorded one',
      given: (machine) => {
        put(join(machine.root, 'opt/openshift/etcd-snapshot/snapshot.db.gz'), gzipSync('another'));
      },
      want: 'the snapshot of etcd is damaged',
    },
    {
      name: 'a truncated snapshot',
      given: (machine) => {
        const part = gzipSync(bytes).subarray(0, 20);
        put(join(machine.root, 'opt/openshift/etcd-snapshot/snapshot.db.gz'), part);
      },
      want: 'the snapshot of etcd is damaged',
    },
    {
      name: 'a description without a hash',
      given: (machine) => {
        machine.write('opt/openshift/etcd-snapshot/snapshot.json', '{}');
      },
      want: 'the snapshot of etcd is damaged',
    },
    {
      name: 'an empty description',
      given: (machine) => {
        machine.write('opt/openshift/etcd-snapshot/snapshot.json', '');
      },
      want: 'the snapshot of etcd is damaged',
    },
    {
      name: 'an image that cannot be pulled',
      given: (machine) => {
        machine.fail('pull', 'always');
      },
      want: 'the etcd image cannot be pulled',
    },
    {
      name: 'a restore that fails',
      given: (machine) => {
        machine.fail('etcdutl', 'always');
      },
      want: 'the restore of the snapshot failed',
    },
  ])('prevents the kubelet from starting without data: $name', ({ given, want }) => {
    const machine = installed();
    given(machine);
    expect(machine.run(script).status).toBe(1);
    expect(machine.console()).toBe(`etcd cannot be restored, the kubelet waits: ${want}\n`);
    expect(machine.has('var/lib/etcd/member')).toBe(false);
    expect(machine.stages('sno-etcd-restore')).toEqual(['etcd-restore failure']);
  });

  test.each(['podman-pull', 'sync', 'restorecon'])('a kill at %s: the next start restores', (name) => {
    const machine = installed();
    machine.killAt(name);
    expect(machine.run(script).signal).toBe('SIGKILL');
    expect(machine.run(script).status).toBe(0);
    expect(machine.read('var/lib/etcd/member/snap/db')).toBe(bytes);
  });
});
