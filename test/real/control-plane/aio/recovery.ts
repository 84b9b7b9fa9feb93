import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { machineTimeoutMs } from '../support/tools.js';
import { waitUntil } from '../support/wait-until.js';
import { waitForNode, type NodeUnderTest } from './node.js';
import { requestService, waitForWeb } from './workloads.js';

export function etcdTests({ machine, kubectl }: NodeUnderTest, hostname: string): void {
  test(
    'keeps kube-apiserver running while etcd restarts',
    async () => {
      const server = await containerOf('kube-apiserver');
      const etcd = await containerOf('etcd');
      await machine().exec(['sh', '-c', 'kill -KILL $(pidof etcd)']);
      await waitUntil('another container of etcd', async () =>
        (await containerOf('etcd')) === etcd ? undefined : true,
      );
      await waitUntil('kube-apiserver to be ready', () => kubectl(['get', '--raw=/readyz']));
      await kubectl(['create', 'configmap', 'after-etcd']);
      expect(await containerOf('kube-apiserver')).toBe(server);
    },
    machineTimeoutMs,
  );

  async function containerOf(component: string): Promise<string> {
    const status =
      '{.status.containerStatuses[0].containerID} {.status.containerStatuses[0].state.running.startedAt}';
    return kubectl([
      'get',
      'pod',
      `${component}-${hostname}`,
      '--namespace=kube-system',
      `--output=jsonpath=${status}`,
    ]);
  }
}

export function rebootTests(node: NodeUnderTest): void {
  test(
    'starts after a power failure without running the first boot again',
    async () => {
      await node.bootAgain();
      await waitForNode(node);
      await waitForWeb(node);
      expect(await requestService(node)).toBe('web');
      const kept = await node.kubectl(['get', 'secret', 'canary', '--output=jsonpath={.data.word}']);
      expect(Buffer.from(kept, 'base64').toString()).toBe('nightingale');
      const machine = node.machine();
      expect(existsSync(machine.path('/etc/systemd/system/aiokube.service'))).toBe(false);
      expect(await machine.exec(['systemctl', 'list-units', '--failed', '--plain', '--no-legend'])).toBe('');
    },
    machineTimeoutMs,
  );
}
