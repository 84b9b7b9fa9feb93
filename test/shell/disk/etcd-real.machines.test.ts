import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

import { freePort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { startedEtcd } from '../../support/started-etcd.js';
import { bootstrapImages } from './machine-files.js';
import { liveMachine, type Machine } from './machine.js';

describeWith(['etcd', 'etcdctl', 'openssl'], 'with the real etcd', () => {
  test('restores all data from before the snapshot, at the same or a newer revision', async () => {
    const live = liveMachine();
    const tls = join(live.root, 'opt/openshift/tls');
    issueCertificates(tls);
    const before = await startEtcd(tls, join(scratchFolder(), 'data'));
    const etcdctl = (etcd: Etcd, ...rest: readonly string[]) => etcdctlAt(etcd, tls, rest);
    for (let index = 0; index < 5; index += 1) etcdctl(before, 'put', `/key-${index}`, `value ${index}`);
    const revision = revisionOf(etcdctl(before, 'get', '/key-4', '--write-out=json'));
    writeFileSync(join(live.stub, 'etcd-port'), String(before.clientPort));

    expect(live.run('bootstrap-in-place.sh', { args: bootstrapImages })).toMatchObject({ status: 0 });
    await stop(before);
    const { member, snapshot } = describedBy(live);
    expect(member).toMatchObject({ name: 'etcd-sno1', peerURL: before.peerUrl });
    expect(snapshot).toMatchObject({ revision, etcdVersion: etcdVersion() });

    // The installed node: an empty data folder and the files on the disk that the restore reads.
    copyFileSync(
      resolve('templates/live/opt/openshift/bootstrap-in-place/sno-etcd-restore.sh'),
      join(live.root, 'usr/local/bin/sno-etcd-restore.sh'),
    );
    expect(live.run('sno-etcd-restore.sh')).toMatchObject({ status: 0 });
    const data = join(live.root, 'var/lib/etcd');
    expect(readdirSync(data)).toEqual(['member']);
    expect([live.modeOf('var/lib/etcd'), live.modeOf('var/lib/etcd/member')]).toEqual(['700', '700']);

    const after = await startEtcd(tls, data, before);
    expect(etcdctl(after, 'get', '--prefix', '/key-', '--print-value-only').split('\n')).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => `value ${index}`),
      '',
    ]);
    expect(revisionOf(etcdctl(after, 'get', '/key-4', '--write-out=json'))).toBeGreaterThanOrEqual(revision);
    etcdctl(after, 'put', '/key-5', 'after the reboot');
    expect(revisionOf(etcdctl(after, 'get', '/key-5', '--write-out=json'))).toBeGreaterThan(revision);
    expect(etcdctl(after, 'member', 'list')).toBe(etcdctl(before, 'member', 'list'));
    await stop(after);
  });
});

interface Etcd {
  readonly process: ChildProcess;
  readonly clientPort: number;
  readonly peerUrl: string;
}

/** Starts etcd like the static pod, on loopback. `earlier` provides the address recorded in the data folder. */
async function startEtcd(tls: string, data: string, earlier?: Etcd): Promise<Etcd> {
  const clientPort = earlier?.clientPort ?? (await freePort());
  const peerUrl = earlier?.peerUrl ?? `https://127.0.0.1:${await freePort()}`;
  const clientUrl = `https://localhost:${clientPort}`;
  const pair = (name: string) => [join(tls, `${name}.crt`), join(tls, `${name}.key`)] as const;
  const [certificate, key] = pair('etcd-server');
  const process = await startedEtcd([
    '--name=etcd-sno1',
    `--data-dir=${data}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--listen-client-urls=${clientUrl.replace('localhost', '127.0.0.1')}`,
    `--advertise-client-urls=${clientUrl}`,
    ...['', 'peer-'].flatMap((role) => [
      `--${role}cert-file=${certificate}`,
      `--${role}key-file=${key}`,
      `--${role}trusted-ca-file=${join(tls, 'etcd-ca-bundle.crt')}`,
      `--${role}client-cert-auth`,
    ]),
    ...(earlier ? [] : [`--initial-cluster=etcd-sno1=${peerUrl}`]),
  ]);
  return { process, clientPort, peerUrl };
}

async function stop({ process }: Etcd): Promise<void> {
  const exited = once(process, 'exit');
  process.kill('SIGTERM');
  await exited;
}

function etcdctlAt({ clientPort }: Etcd, tls: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    'etcdctl',
    [
      `--endpoints=https://localhost:${clientPort}`,
      `--cacert=${join(tls, 'etcd-ca-bundle.crt')}`,
      `--cert=${join(tls, 'etcd-client.crt')}`,
      `--key=${join(tls, 'etcd-client.key')}`,
      ...args,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function revisionOf(answer: string): number {
  const { header } = JSON.parse(answer) as { header: { revision: number } };
  return header.revision;
}

function etcdVersion(): string {
  return /etcd Version: (\S+)/.exec(spawnSync('etcd', ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '';
}

function describedBy(machine: Machine): { readonly member: object; readonly snapshot: object } {
  const text = machine.read('opt/openshift/etcd-snapshot/snapshot.json');
  return JSON.parse(text) as { member: object; snapshot: object };
}

/** A CA with a server and a client certificate, all with throwaway keys. */
function issueCertificates(folder: string): void {
  const openssl = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'];
  const authority = ['-CA', 'etcd-ca-bundle.crt', '-CAkey', 'ca.key'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-subj',
    '/CN=etcd-ca',
    '-keyout',
    'ca.key',
    '-out',
    'etcd-ca-bundle.crt',
  );
  for (const name of ['etcd-server', 'etcd-client']) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    openssl('req', '-x509', ...newKey, ...authority, '-subj', `/CN=${name}`, ...names, ...files);
  }
}
