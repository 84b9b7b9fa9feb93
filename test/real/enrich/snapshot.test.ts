import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { withSnapshot } from '../../../src/manifests/enrich/snapshot.js';
import { gunzip } from '../../../src/formats/gzip.js';
import { folderOf, shown, sound } from '../../manifests/enrich/given.js';
import { freePort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { startedEtcd } from '../../support/started-etcd.js';

const source = 'openshift/etcd-snapshot/snapshot.db';

describeWith(['etcd', 'etcdctl'], 'a snapshot of the real etcd', () => {
  test('is saved and can be restored; both sides reject a changed byte', async () => {
    const folder = scratchFolder();
    const snapshot = await snapshotOfNewEtcd(folder);

    const made = expectOk(withSnapshot(folderOf({ ...sound, [source]: snapshot }))).read(`${source}.gz`);
    const unpacked = made.kind === 'file' ? gunzip(made.bytes, 2 ** 30) : undefined;
    expect(unpacked?.equals(snapshot)).toBe(true);
    expect(restore(folder, 'good', snapshot)).toBe(0);

    const damaged = Buffer.from(snapshot);
    damaged.writeUInt8(damaged.readUInt8(5000) ^ 1, 5000);
    expect(shown(withSnapshot(folderOf({ ...sound, [source]: damaged })))).toEqual([
      `error[enrich/snapshot] ${source}: this is not an etcd snapshot, or it is damaged`,
    ]);
    expect(restore(folder, 'damaged', damaged)).not.toBe(0);
  });
});

/** Starts etcd on loopback, writes a key and saves a snapshot with etcdctl. */
async function snapshotOfNewEtcd(folder: string): Promise<Buffer> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const urls = { 'listen-client-urls': client, 'advertise-client-urls': client, 'listen-peer-urls': peer };
  const addresses = { ...urls, 'initial-advertise-peer-urls': peer, 'initial-cluster': `default=${peer}` };
  const flags = Object.entries(addresses).map(([name, url]) => `--${name}=${url}`);
  const etcd = await startedEtcd([`--data-dir=${join(folder, 'data')}`, ...flags]);
  const path = join(folder, 'saved.db');
  for (const args of [
    ['put', '/key', 'value'],
    ['snapshot', 'save', path],
  ]) {
    expect(etcdctl([`--endpoints=${client}`, ...args])).toBe(0);
  }
  const exited = once(etcd, 'exit');
  etcd.removeAllListeners('exit');
  etcd.kill('SIGTERM');
  await Promise.race([exited, once(etcd, 'close')]);
  return readFileSync(path);
}

/** The exit code of restoring these bytes. */
function restore(folder: string, name: string, snapshot: Buffer): number | null {
  const path = join(folder, `${name}.db`);
  writeFileSync(path, snapshot);
  return etcdctl(['snapshot', 'restore', path, `--data-dir=${join(folder, name)}`]);
}

function etcdctl(args: readonly string[]): number | null {
  const env = { ...process.env, ETCDCTL_API: '3' };
  return spawnSync('etcdctl', args, { env, encoding: 'utf8' }).status;
}
