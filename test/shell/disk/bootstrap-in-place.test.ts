import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { bootstrapImages, clusterUuid, etcdImage, masterConfig } from './machine-files.js';
import { carriedFiles, carriedUnits } from './node-files.js';
import { liveMachine, type Machine } from './machine.js';
import { readIgnition } from './read-ignition.js';
import { script, home, answerWith } from './bootstrap-in-place.js';

describeWith(['bash', 'jq', 'tar'], 'bootstrap-in-place.sh', () => {
  test('creates a snapshot of etcd and the Ignition config of the node', () => {
    const machine = liveMachine();
    expect(machine.run(script, { args: bootstrapImages })).toMatchObject({ status: 0 });
    expect(machine.stages('bootstrap-in-place')).toEqual([
      'etcd-snapshot success',
      'stop-etcd success',
      'fetch-master-ignition success',
      'gather-bootstrap-logs success',
      'master-ignition success',
    ]);
    expect(JSON.parse(machine.read(`${home}/etcd-snapshot/snapshot.json`))).toEqual({
      apiVersion: 'sno-install/v1alpha1',
      kind: 'EtcdSnapshot',
      clusterID: clusterUuid,
      node: { hostname: 'sno1', address: '192.168.126.10' },
      member: {
        name: 'etcd-sno1',
        peerURL: 'https://192.168.126.10:2380',
        initialClusterToken: 'etcd-cluster',
        dataDir: '/var/lib/etcd',
      },
      snapshot: {
        file: 'snapshot.db.gz',
        sha256: createHash('sha256').update('a snapshot of etcd\n').digest('hex'),
        sizeBytes: 19,
        revision: 4711,
        totalKeys: 812,
        etcdVersion: '3.5.18',
        etcdImage,
        takenAt: '2026-01-02T03:04:05Z',
      },
    });
    expect(machine.modeOf(`${home}/etcd-snapshot/snapshot.json`)).toBe('600');
    expect(machine.modeOf(`${home}/etcd-snapshot/snapshot.db.gz`)).toBe('600');
    const archive = readFileSync(join(machine.root, home, 'etcd-snapshot/snapshot.db.gz'));
    expect(gunzipSync(archive).toString()).toBe('a snapshot of etcd\n');
    expect(machine.has(`${home}/etcd-snapshot/snapshot.db`)).toBe(false);
    expect(machine.has('etc/kubernetes/manifests/etcd-member-pod.yaml')).toBe(false);
    expect(machine.console()).toBe('');

    expect(machine.modeOf(`${home}/master.ign`)).toBe('600');
    const { config, files } = readIgnition(machine.read(`${home}/master.ign`));
    expect(config.ignition.version).toBe('3.1.0');
    expect(readIgnition.merged(config)).toEqual([masterConfig]);
    expect(files.map(({ path, mode, text }) => [mode.toString(8), path, text])).toEqual(
      carriedFiles(machine).map(({ path, mode, source }) => [mode, path, readFileSync(source, 'latin1')]),
    );
    const readable = files.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path);
    expect(readable.filter((path) => !path.startsWith('/usr/local/bin/'))).toEqual(['/etc/hostname']);
    expect(config.storage.directories.map(({ path, mode }) => `${mode.toString(8)} ${path}`)).toEqual([
      '700 /etc/kubernetes/bootstrap-secrets',
      '700 /etc/kubernetes/static-pod-resources/etcd-member',
      '700 /opt/openshift',
      '700 /opt/openshift/etcd-snapshot',
      '700 /var/lib/etcd',
    ]);
    expect(config.systemd.units).toEqual(carriedUnits());

    expect(machine.calls('curl')).toEqual([
      '--fail --silent --show-error --max-time 60 --output /opt/openshift/original-master.ign.new ' +
        '--header Accept: application/vnd.coreos.ignition+json;version=3.2.0 http://localhost:22624/config/master',
    ]);
  });

  test('stops etcd only after the snapshot is stored', () => {
    const machine = liveMachine();
    machine.fail('etcdutl', 'always');
    expect(machine.run(script, { args: bootstrapImages }).status).toBe(1);
    expect(machine.has('etc/kubernetes/manifests/etcd-member-pod.yaml')).toBe(true);
    expect(machine.stages('bootstrap-in-place')).toEqual(['etcd-snapshot failure']);
  });

  test('keeps the host name that a MachineConfig sets', () => {
    const machine = liveMachine();
    const file = { path: '/etc/hostname', mode: 420, contents: { source: 'data:,sno1%0A' } };
    machine.answer('curl', answerWith({ storage: { files: [...masterConfig.storage.files, file] } }));
    expect(machine.run(script, { args: bootstrapImages })).toMatchObject({ status: 0 });
    const { files } = readIgnition(machine.read(`${home}/master.ign`));
    expect(files.map(({ path }) => path)).not.toContain('/etc/hostname');
  });

  const bundle = `${home}/log-bundle-bootstrap.tar.gz`;
  const failed = 'gathering the logs of the bootstrap failed; none are copied to the disk';
  test.each<{ name: string; given: (machine: Machine) => void; says: string }>([
    {
      name: 'cannot be created',
      given: (machine) => {
        machine.fail('installer-gather.sh', 'always');
      },
      says: failed,
    },
    { name: 'does not exist', given: () => undefined, says: failed },
    {
      name: 'is too large',
      given: (machine) => {
        machine.write(bundle, 'x'.repeat(32 * 2 ** 20 + 1));
      },
      says: 'the logs of the bootstrap take more than 32 MiB; none are copied to the disk',
    },
  ])('continues without a log bundle that $name', ({ given, says }) => {
    const machine = liveMachine();
    given(machine);
    const { status, stderr } = machine.run(script, { args: bootstrapImages });
    expect(status).toBe(0);
    expect(stderr.split('\n')).toContain(says);
    expect(stderr).not.toContain('syntax error');
    expect(machine.has(bundle)).toBe(false);
  });

  test.each([
    { name: 'no argument', given: [] },
    { name: 'one image', given: bootstrapImages.slice(0, 2) },
    { name: 'an unknown argument', given: [...bootstrapImages, '--force', 'yes'] },
  ])('prints its usage: $name', ({ given }) => {
    const machine = liveMachine();
    const { status, stderr } = machine.run(script, { args: given });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'usage: bootstrap-in-place.sh --etcd-image IMAGE --cluster-bootstrap-image IMAGE\n',
    });
  });
});
