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

test('interfaces without a network configuration are reported', () => {
  const table = "interfaces: [{ name: nic1, macAddress: '52:54:00:00:01:01' }]";
  const { problems } = siteOf('agent-config', agentConfig(table));
  expect(problems.map(({ message }) => message)).toEqual([
    'the MAC addresses are not imported: no network configuration uses them',
  ]);
});

test('an interface without a MAC address is reported', () => {
  const network = 'interfaces: [{ name: nic1 }]\nnetworkConfig: { interfaces: [{ name: nic1 }] }';
  const { problems } = siteOf('agent-config', agentConfig(network));
  expect(problems.map(({ message }) => message)).toEqual([
    'an interface without name or macAddress is not imported',
  ]);
});

function withArguments(list: string): Readonly<Record<string, string>> {
  return { 'site1.yaml': clusterInstance.replace(/installerArgs: .*/, `installerArgs: ${list}`) };
}

test('kernel arguments of the installer hold from the first boot, as on the hub', () => {
  const list = `'["--append-karg", "rd.multipath=default", "--append-karg=root=/dev/disk/by-label/dm-mpath-root", "--append-karg", "rw"]'`;
  const sno = textOf(siteOf('cluster-instance', withArguments(list)), 'sno-config.yaml');
  expect(sno).toContain(
    'coreosInstaller:\n  appendKernelArguments:\n    - rd.multipath=default\n    - root=/dev/disk/by-label/dm-mpath-root\n    - rw\n',
  );
  expect(sno).not.toContain('kernelArguments:');
});

describe('refuses arguments of the installer that the hub cannot read either', () => {
  test.each([
    ['[--save-partlabel, data]', 'installerArgs is not a JSON list in a string'],
    ['{a: b}', 'installerArgs is not a JSON list in a string'],
    [`'["--save-partlabel", "data"'`, 'installerArgs is not a JSON list'],
    [`'--append-karg nosmt'`, 'installerArgs is not a JSON list'],
    [`'["--save-partindex", 5]'`, 'an item of installerArgs is not a string'],
    [`'["--save-partlabel"]'`, 'installerArgs: --save-partlabel has no value'],
    [`'["--append-karg="]'`, 'installerArgs: --append-karg has no value'],
    [`'["--append-karg", "a b"]'`, 'installerArgs: kernel argument "a b" contains a space'],
    [
      `'["--save-partlabel", "root"]'`,
      'installerArgs: label pattern "root" matches root, a partition of the operating system',
    ],
  ])('%s', (list, want) => {
    const made = imported('cluster-instance', withArguments(list));
    const problems = made.ok ? made.value.problems : made.problems;
    expect(problems.filter(({ code }) => code === 'import/malformed').map(({ message }) => message)).toEqual([
      want,
    ]);
  });
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
    const made = imported('cluster-instance', withArguments(`'${list}'`));
    const said = (made.ok ? made.value.problems : made.problems).filter(({ message }) =>
      message.startsWith('installerArgs'),
    );
    expect(said.map(({ message, hint }) => [message, hint])).toEqual(want);
  });
});
