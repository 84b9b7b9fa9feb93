import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { machineTimeoutMs } from '../support/tools.js';
import { waitUntil } from '../support/wait-until.js';
import type { NodeUnderTest } from './node.js';
import { contentsOf } from './ignition-contents.js';

const marker = '/var/lib/sno-install/.aiokube.done';

/** Tests that the machine becomes a node without intervention, and that this runs once. */
export function firstBootTests(node: NodeUnderTest, hostname: string): void {
  const { machine, kubectl } = node;

  test(
    'becomes a Ready node under its host name, by the units that Ignition enabled',
    async () => {
      await firstBoot(node);
      expect(
        await kubectl([
          'get',
          'nodes',
          '--output=jsonpath={range .items[*]}{.metadata.name} {.spec.taints}{.spec.unschedulable}{end}',
        ]),
      ).toBe(`${hostname} `);
      expect(
        await kubectl([
          'get',
          'nodes',
          '--output=jsonpath={.items[0].status.conditions[?(@.type=="Ready")].status}',
        ]),
      ).toBe('True');
      const roles = await kubectl(['get', 'nodes', '--output=jsonpath={.items[0].metadata.labels}']);
      expect(
        Object.keys(JSON.parse(roles) as object).filter((label) => label.startsWith('node-role')),
      ).toEqual(['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/worker']);
      expect(await machine().exec(['systemctl', 'list-units', '--failed', '--plain', '--no-legend'])).toBe(
        '',
      );
    },
    machineTimeoutMs,
  );

  test('removes the files that only the first boot needs', async () => {
    const { files } = contentsOf(node.laid().site.ignition);
    const missing = [...files.keys()].filter((path) => !existsSync(machine().path(path)));
    expect(missing).toEqual([
      '/etc/kubernetes/bootstrap-kubeconfig',
      '/etc/kubernetes/pki/kubelet-bootstrap.crt',
      '/etc/kubernetes/pki/kubelet-bootstrap.key',
      '/etc/sno-install/aiokube/client.crt',
      '/etc/sno-install/aiokube/client.key',
      '/etc/sno-install/aiokube/kubeconfig',
      '/etc/sno-install/objects/10-access.yaml',
      '/etc/sno-install/objects/20-node-bootstrapper.yaml',
      '/etc/sno-install/objects/30-coredns.yaml',
      '/opt/cni-plugins.tgz',
      '/usr/local/bin/aiokube.sh',
    ]);
    expect((await machine().run(['systemctl', 'cat', 'aiokube.service'])).code).not.toBe(0);
  });

  test('is not led to Ready again, even where the unit is put back', async () => {
    const unit = '/run/systemd/system/aiokube.service';
    await machine().exec(
      ['sh', '-c', `cat >${unit}`],
      contentsOf(node.laid().site.ignition).unit('aiokube.service'),
    );
    await machine().exec(['systemctl', 'daemon-reload']);
    await machine().exec(['systemctl', 'start', 'aiokube.service']);
    const shown = await machine().exec([
      'systemctl',
      'show',
      '--property=ConditionResult',
      'aiokube.service',
    ]);
    expect(shown).toBe('ConditionResult=no\n');
    await machine().exec(['rm', unit]);
    await machine().exec(['systemctl', 'daemon-reload']);
  });
}

/** Waits for the end of the first boot. Throws the service's log on timeout. */
async function firstBoot({ machine }: NodeUnderTest): Promise<void> {
  try {
    await waitUntil('aiokube to end', async () => {
      const { stdout } = await machine().run(['systemctl', 'is-active', 'aiokube.service']);
      return stdout === 'inactive\n' && existsSync(machine().path(marker)) ? true : undefined;
    });
  } catch (error) {
    const said = await machine().journal('aiokube.service');
    throw new Error(said.split('\n').slice(-40).join('\n'), { cause: error });
  }
}
