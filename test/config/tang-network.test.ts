import { expect, test } from 'vitest';

import { inPlaceConfigAssets } from '../../src/assets/config/config-checks.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import type { Environment } from '../../src/graph/context.js';
import { testContext } from '../support/context.js';
import { shown } from './shown.js';
import { soundInstallConfig } from './sound-config.js';

const tang =
  'diskEncryption: { tang: [{ url: http://192.0.2.1, thumbprint: o6U9qKv0_XdugefJV3q_NknYTY4Xgw27kcUnErkrVCY }] }\n';
const fixed = (more = '', address = '192.168.126.10'): string => `network:
  interfaces: [{ name: eno1, ${more} ipv4: { enabled: true, address: [{ ip: ${address}, prefix-length: 24 }] } }]
  dns-resolver: { config: { server: [192.168.126.1] } }
  routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: eno1 }] }
`;

async function problemsWith(fields: string, environment: Environment = {}): Promise<readonly string[]> {
  const text = `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nhostname: node-1\n${fields}`;
  const files = { 'install-config.yaml': soundInstallConfig, 'sno-config.yaml': text };
  const found = await resolve(inPlaceConfigAssets, testContext({ files, environment }));
  return problemsOf(found).map((each) => shown(each, text));
}

const message =
  'config/tang-network 4:tang: no Ethernet interface of network has DHCP, and no kernel argument configures the initramfs: the node cannot reach Tang servers when it boots';

test('static addresses need arguments for the initramfs', async () => {
  expect(await problemsWith(`${tang}${fixed()}`)).toEqual([
    `${message} | add "ip=192.168.126.10::192.168.126.1:24:node-1:eno1:none" and "nameserver=192.168.126.1" to kernelArguments, or ip=dhcp if DHCP answers there`,
  ]);
});

test('the form of the arguments, where the interface is not the only one of its kind', async () => {
  const mac = 'identifier: mac-address, mac-address: "52:54:00:00:01:01",';
  expect(await problemsWith(`${tang}${fixed(mac)}`)).toEqual([
    `${message} | add an argument such as ip=ADDRESS::GATEWAY:PREFIX:HOST:INTERFACE:none to kernelArguments, or ip=dhcp if DHCP answers there`,
  ]);
});

test.each([
  { name: 'DHCP', fields: tang },
  { name: 'a TPM only', fields: `diskEncryption: { tpm2: true }\n${fixed()}` },
  { name: 'kernelArguments', fields: `${tang}${fixed()}kernelArguments: [ip=dhcp]\n` },
  {
    name: 'appendKernelArguments',
    fields: `${tang}${fixed()}coreosInstaller: { appendKernelArguments: [ip=dhcp] }\n`,
  },
  { name: '--dest-karg', fields: `${tang}${fixed()}`, environment: { kernelArguments: ['ip=dhcp'] } },
  {
    name: 'the variable',
    fields: `${tang}${fixed()}`,
    environment: { coreosInstallerArguments: '--append-karg ip=dhcp' },
  },
  {
    name: 'DHCP of another interface',
    fields: `${tang}${fixed()}`.replace(
      '[{ name: eno1',
      '[{ name: eno2, ipv4: { enabled: true, dhcp: true } }, { name: eno1',
    ),
  },
])('no problem with $name', async ({ fields, environment }) => {
  expect(await problemsWith(fields, environment)).toEqual([]);
});
