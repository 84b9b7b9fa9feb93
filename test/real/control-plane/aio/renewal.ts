import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { machineTimeoutMs } from '../support/tools.js';
import { waitUntil } from '../support/wait-until.js';
import {
  certificatesOn,
  kubeletCertificates,
  renewedCertificates,
  resign,
  resigned,
  servedCertificate,
  type Served,
} from './certificates.js';
import { waitForNode, type NodeUnderTest } from './node.js';
import { requestService, waitForWeb } from './workloads.js';

const dayMs = 24 * 60 * 60 * 1000;

/** The node's certificates are valid for a year. A certificate that is at most a day old has more than this left. */
const mostOfALife = 300 * dayMs;

/** Tests that certificates are valid for more than a day, and are renewed before and after they expire. */
export function renewalTests(
  node: NodeUnderTest,
  { address, domain }: { address: string; domain: string },
): void {
  const { kubectl } = node;

  test('has run on certificates that are older than a day, of which none ends this year', async () => {
    const found = await certificatesOn(node.machine());
    expect(found.length).toBeGreaterThan(30);
    const laid = found.filter(({ path }) => !path.startsWith('/var/lib/kubelet/'));
    expect(laid.filter(({ certificate }) => Date.parse(certificate.validFrom) > Date.now() - dayMs)).toEqual(
      [],
    );
    expect(await shortLived()).toEqual([]);
  });

  test(
    'renews due certificates by its timer; all servers and clients reload them while the node stays Ready',
    async () => {
      const machine = node.machine();
      // Three months of a year are left.
      await resign(machine, { notBefore: monthsFromNow(-9), end: monthsFromNow(3) });
      await machine.exec(['cp', '--recursive', '--no-target-directory', resigned, '/']);
      const before = { ready: await readySince(), processes: await componentProcesses() };
      await fireTimer();
      await expectRenewed();
      await waitUntil('every component to be another process', async () => {
        const now = await componentProcesses();
        return now.some((each) => before.processes.includes(each)) ? undefined : true;
      });
      await expectPickedUp();
      expect(await readySince()).toBe(before.ready);
      await kubectl(['rollout', 'restart', 'deployment/web']);
      await waitForWeb(node);
      expect(await requestService(node)).toBe('web');
    },
    machineTimeoutMs,
  );

  test(
    'starts after thirteen months without power, with all one-year certificates expired',
    async () => {
      const kubelets = await kubeletCertificates(node.machine());
      await resign(node.machine(), { notBefore: monthsFromNow(-13), end: monthsFromNow(-1), kubelets });
      await node.bootAgain(() => {
        const { root } = node.laid();
        cpSync(join(root, resigned), root, { recursive: true });
        rmSync(join(root, 'var/lib/sno-install/renewals.log'));
      });
      await expectRenewed('system:node:');
      await waitForNode(node);
      await waitUntil('the kubelet to serve again', async () => {
        // As the timer does.
        await node.machine().exec(['systemctl', 'start', 'sno-approve.service']);
        return kubectl(['logs', 'deployment/web', '--tail=1']);
      });
      await expectPickedUp();
      await waitForWeb(node);
      expect(await requestService(node)).toBe('web');
      // The kubelet keeps its previous certificates.
      const former = (await shortLived()).filter((path) => !kubelets.includes(path));
      expect(former).toEqual([]);
    },
    machineTimeoutMs,
  );

  /** Paths of certificates that expire soon, except the CA of the first boot's identities, which expires with them. */
  async function shortLived(): Promise<readonly string[]> {
    const found = await certificatesOn(node.machine());
    const expiring = found.filter(
      ({ certificate: { subject, validTo } }) =>
        !subject.endsWith('CN=boot-signer') && Date.parse(validTo) < Date.now() + mostOfALife,
    );
    return expiring.map(({ path }) => path);
  }

  async function readySince(): Promise<string> {
    const condition = '{.items[0].status.conditions[?(@.type=="Ready")]}';
    const { status, lastTransitionTime } = JSON.parse(
      await kubectl(['get', 'nodes', `--output=jsonpath=${condition}`]),
    ) as { status: string; lastTransitionTime: string };
    return `${status} since ${lastTransitionTime}`;
  }

  /** The process of each component. Throws if one is not running. The API shows restarted pods much later. */
  async function componentProcesses(): Promise<readonly string[]> {
    return Promise.all(components.map((name) => node.machine().exec(['pidof', name])));
  }

  /** Starts the timer's service, without the random delay. */
  async function fireTimer(): Promise<void> {
    const machine = node.machine();
    const dropIn = '/run/systemd/system/sno-renew.timer.d';
    await machine.exec(['mkdir', '--parents', dropIn]);
    await machine.exec(['sh', '-c', `printf '[Timer]\\nRandomizedDelaySec=0\\n' >${dropIn}/now.conf`]);
    await machine.exec(['systemctl', 'stop', 'sno-renew.timer']);
    await machine.exec(['touch', '--date=2 days ago', '/var/lib/systemd/timers/stamp-sno-renew.timer']);
    await machine.exec(['systemctl', 'daemon-reload']);
    await machine.exec(['systemctl', 'start', 'sno-renew.timer']);
  }

  /** Each listed certificate, and each whose name begins with an item of `more`, exists once and is new. */
  async function expectRenewed(...more: readonly string[]): Promise<void> {
    const machine = node.machine();
    const list = await renewedCertificates(machine);
    const renewed = await waitUntil('the renewal to end', async () => {
      const state = await machine.exec([
        'systemctl',
        'show',
        '--property=ActiveState,Result',
        'sno-renew.service',
      ]);
      const log = readFileSync(machine.path('/var/lib/sno-install/renewals.log'), 'utf8').trim().split('\n');
      return log.length >= list.length && state === 'Result=success\nActiveState=inactive\n'
        ? log
        : undefined;
    });
    const names = renewed.map((line) => / UTC (\S+): ended /.exec(line)?.[1] ?? line);
    expect(names.map((name) => more.find((each) => name.startsWith(each)) ?? name).toSorted()).toEqual(
      [...list.map(({ name }) => name), ...more].toSorted(),
    );
    for (const { name, keyFile, certFiles } of list)
      for (const path of certFiles) {
        const certificate = new X509Certificate(readFileSync(machine.path(path)));
        expect(Date.parse(certificate.validTo), name).toBeGreaterThan(Date.now() + mostOfALife);
        expect(certificate.checkPrivateKey(createPrivateKey(readFileSync(machine.path(keyFile)))), name).toBe(
          true,
        );
      }
  }

  /** Servers present the new certificates, and all components are healthy. */
  async function expectPickedUp(): Promise<void> {
    const machine = node.machine();
    const list = await renewedCertificates(machine);
    for (const [name, served] of Object.entries(servers)) {
      const [file = ''] = list.find((each) => each.name === name)?.certFiles ?? [];
      const laid = new X509Certificate(readFileSync(machine.path(file)));
      await waitUntil(`${served.socket} to serve ${name}`, async () =>
        (await servedCertificate(machine, served)).fingerprint256 === laid.fingerprint256 ? true : undefined,
      );
    }
    await waitForNode(node);
    await waitUntil('kube-apiserver to be ready', () => kubectl(['get', '--raw=/readyz']));
  }

  const servers: Readonly<Record<string, Served>> = {
    'localhost-serving-cert-certkey': { socket: 'localhost:6443', name: 'localhost' },
    'service-network-serving-certkey': { socket: `${address.includes(':') ? `[${address}]` : address}:6443` },
    'external-loadbalancer-serving-certkey': { socket: 'localhost:6443', name: `api.${domain}` },
    'internal-loadbalancer-serving-certkey': { socket: 'localhost:6443', name: `api-int.${domain}` },
    'etcd-serving': { socket: 'localhost:2379' },
  };
}

const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler'];

function monthsFromNow(count: number): Date {
  return new Date(Date.now() + count * 30.44 * dayMs);
}
