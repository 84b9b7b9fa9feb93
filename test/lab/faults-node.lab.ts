import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Machine } from '../real/control-plane/support/machine.js';
import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { waitUntil } from '../real/control-plane/support/wait-until.js';
import { bootNode, createLab, applyIgnition, type Lab } from './lab.js';
import { optionsOf } from './options.js';
import { consoleOf, runLive } from './phases.js';
import { awaitLine, shortenWaits, waitForUnitFailure, activeStateOf } from './units.js';

const restore = 'sno-etcd-restore.service';

describeWithMachine('faults of the installed node', () => {
  let lab: Lab;
  let root: string;
  let machine: Machine;
  const snapshot = () => join(root, 'opt/openshift/etcd-snapshot/snapshot.db.gz');
  const description = () => join(root, 'opt/openshift/etcd-snapshot/snapshot.json');

  beforeAll(async () => {
    lab = await createLab(optionsOf(process.env));
    await runLive(lab);
    root = applyIgnition(lab, 'node', await lab.disk.installedConfig());
    // A member of another cluster, which must not be deleted.
    mkdirSync(join(root, 'var/lib/etcd/member'), { recursive: true });
    writeFileSync(join(root, 'var/lib/etcd/member/theirs'), '');
    machine = await bootNode(lab, root);
    await waitUntil('the restore', () =>
      Promise.resolve(existsSync(join(root, 'opt/openshift/etcd-restore.done')) ? true : undefined),
    );
    await machine.exec(['systemctl', 'stop', 'kubelet.service', 'bootkube.service']);
  });

  afterAll(async () => {
    await machine.stop();
    await lab.remove();
  });

  test('keeps a data folder of etcd that is not empty, and reports it', async () => {
    expect(existsSync(join(root, 'var/lib/etcd/member/theirs'))).toBe(true);
    const journal = await machine.journal(restore);
    expect(journal).toContain('/var/lib/etcd has a member already: it is left as it is');
    rmSync(join(root, 'var/lib/etcd/member'), { recursive: true });
    rmSync(join(root, 'opt/openshift/etcd-restore.done'));
  });

  test('does not start the kubelet with a truncated snapshot, and reports why', async () => {
    const whole = readFileSync(snapshot());
    writeFileSync(snapshot(), whole.subarray(0, whole.length / 2));
    await expectDamaged('the snapshot of etcd cannot be unpacked');
    writeFileSync(snapshot(), whole);
  });

  test('reports a snapshot with another hash', async () => {
    const text = readFileSync(description(), 'utf8');
    writeFileSync(description(), text.replace(/("sha256": ")[0-9a-f]{8}/, '$100000000'));
    await expectDamaged('The SHA-256 of the snapshot of etcd is not 00000000');
    writeFileSync(description(), text);
  });

  async function expectDamaged(reason: string): Promise<void> {
    const { console: shown, journal } = await waitForUnitFailure(machine, root, restore);
    expect(shown).toEqual(['etcd cannot be restored, the kubelet waits: the snapshot of etcd is damaged']);
    expect(journal.filter((line) => line.toLowerCase().includes(reason.toLowerCase()))).toHaveLength(1);
    expect(existsSync(join(root, 'var/lib/etcd/member'))).toBe(false);
    expect(await activeStateOf(machine, 'kubelet.service')).not.toBe('active');
  }

  test('the address has changed after the reboot: five minutes, then one line names both', async () => {
    // podman needs seconds to start. With shortened waits, that exceeds the limits of the scripts.
    await machine.exec(['systemctl', 'start', restore]);
    await machine.exec([
      'sh',
      '-c',
      'ip address flush dev eth0 && ip address add 192.168.126.99/24 dev eth0',
    ]);
    await shortenWaits(machine, 60);
    const { console: shown, seconds } = await waitForUnitFailure(machine, root, 'bootkube.service');
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(
      'They were node1 and 192.168.126.10; now they are node1 and 192.168.126.99. Set them back.',
    );
    expect(seconds).toBeLessThan(600);
    await machine.exec([
      'sh',
      '-c',
      'ip address flush dev eth0 && ip address add 192.168.126.10/24 dev eth0 && ip route add default via 192.168.126.1',
    ]);
  });

  test('reports an API that is absent for an hour, and continues when it answers', async () => {
    const manifest = '/etc/kubernetes/manifests/kube-apiserver-pod.yaml';
    const answers = async () =>
      (await machine.run(['curl', '--silent', '--insecure', 'https://localhost:6443/readyz'])).code === 0 ||
      undefined;
    await machine.exec(['systemctl', 'start', 'kubelet.service']);
    await waitUntil('the API server', answers);
    // A kubelet that has not read its Node object yet removes no pods, and a restarted kubelet does not know this pod.
    await machine.exec(['systemctl', 'stop', 'kubelet.service']);
    await machine.exec(['mv', manifest, '/run/kept.yaml']);
    await machine.exec(['sh', '-c', 'kill -KILL $(pidof kube-apiserver)']);
    await waitUntil('the API server to go', async () => ((await answers()) ? undefined : true));
    await shortenWaits(machine, 240);
    const { console: shown, seconds } = await waitForUnitFailure(machine, root, 'bootkube.service');
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(
      'The installation is still waiting for the API server on localhost, for more than 3600 s.',
    );
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(seconds).toBeLessThan(5400);
    await shortenWaits(machine, 1);
    await machine.exec(['mv', '/run/kept.yaml', manifest]);
    await awaitLine(machine, root, 'bootkube.service', 'stage bootstrap-complete');
    expect(consoleOf(root)).toEqual([]);
  });
});
