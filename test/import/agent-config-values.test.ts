import { describe, expect, test } from 'vitest';

import { agentFiles, clusterInstance, imported, siteOf, textOf } from './files.js';

const agentConfig = (host: string): Readonly<Record<string, string>> => ({
  ...agentFiles,
  'agent-config.yaml': `apiVersion: v1beta1\nkind: AgentConfig\nhosts:\n  - ${host.replaceAll('\n', '\n    ')}\n`,
});

describe('reports an address whose interface is identified in another way', () => {
  const table = "interfaces: [{ name: nic1, macAddress: '52:54:00:00:01:01' }]";
  test.each([
    [
      "mac-address: '52:54:00:00:01:99'",
      'macAddress is not imported: the interface is matched by name, because mac-address sets its address',
    ],
    [
      "identifier: mac-address, mac-address: '52:54:00:00:01:99'",
      'macAddress is not imported: the interface is matched by a different mac-address',
    ],
    ['identifier: name', 'macAddress is not imported: the interface is matched by name'],
    ['type: dummy', 'macAddress is not imported: the interface has type dummy, not ethernet'],
    ["mac-address: '52:54:00:00:01:01'", undefined],
    ['state: up', undefined],
  ])('%s', (fields, want) => {
    const network = `networkConfig: { interfaces: [{ name: nic1, ${fields} }] }`;
    const { problems } = siteOf('agent-config', agentConfig(`${table}\n${network}`));
    expect(problems.map(({ message }) => message)).toEqual(want === undefined ? [] : [want]);
  });
});

test('keys of agent-config.yaml in another letter case are read, as Go reads them', () => {
  const upper = `HostName: node-9\nInterfaces: [{ Name: nic1, MACAddress: '52:54:00:00:01:01' }]\nnetworkconfig: { interfaces: [{ name: nic1 }] }`;
  const plain = `hostname: node-9\ninterfaces: [{ name: nic1, macAddress: '52:54:00:00:01:01' }]\nnetworkConfig: { interfaces: [{ name: nic1 }] }`;
  const [found, want] = [upper, plain].map((host) => siteOf('agent-config', agentConfig(host)));
  expect(found && textOf(found, 'sno-config.yaml')).toBe(want && textOf(want, 'sno-config.yaml'));
  expect(found?.problems).toEqual([]);
});

describe('reports arguments of the installer with their consequences', () => {
  test.each([
    ['["--append-karg", "a=1", "--copy-network", "-n", "--append-karg=b=2"]', []],
    ['["--save-partlabel", "data*,logs", "--save-partindex=5-", "--delete-karg", "quiet"]', []],
    [
      '["--console", "ttyS0", "--no-such", "a"]',
      [
        [
          'installerArgs: --console "ttyS0" is not supported and is ignored',
          'add console=… to coreosInstaller.appendKernelArguments in sno-config.yaml',
        ],
        [
          'installerArgs: --no-such is not supported and is ignored',
          'check whether the node needs it; the disk is written without it',
        ],
      ],
    ],
    [
      '["--image-url", "https://me:throwaway@example.com"]',
      [
        [
          'installerArgs: --image-url is not supported and is ignored',
          'boot the live medium of the system to install: its image is installed',
        ],
      ],
    ],
  ])('%s', (list, want) => {
    const made = imported('cluster-instance', {
      'site1.yaml': clusterInstance.replace(/installerArgs: .*/, `installerArgs: '${list}'`),
    });
    const said = (made.ok ? made.value.problems : made.problems).filter(({ message }) =>
      message.startsWith('installerArgs'),
    );
    expect(said.map(({ message, hint }) => [message, hint])).toEqual(want);
  });
});
