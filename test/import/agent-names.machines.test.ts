import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { readSnoConfig } from '../../src/config/reading/sno-config.js';
import { keyfilesOf } from '../../src/config/network/keyfiles.js';
import { builtNmstatectl, realKeyfiles } from '../config/network/real-nmstatectl.js';
import { testContext } from '../support/context.js';
import { describeWith } from '../support/programs.js';
import { agentFiles, siteOf, textOf } from './files.js';

const buildTimeoutMs = 30 * 60_000;

/** Logical names, MAC addresses, and the names that the kernel gives these interfaces. */
const cards = [
  { logical: 'nic1', mac: '52:54:00:00:01:01', real: 'enp1s0' },
  { logical: 'nic2', mac: '52:54:00:00:01:02', real: 'enp2s0' },
];

const ip = (last: number) =>
  `ipv4: { enabled: true, address: [{ ip: 192.168.126.${last}, prefix-length: 24 }] }`;

const descriptions = fc
  .record({
    above: fc.constantFrom('bond', 'bridge', 'none'),
    vlan: fc.option(fc.integer({ min: 1, max: 4094 })),
    describesPorts: fc.boolean(),
    mtu: fc.option(fc.integer({ min: 1280, max: 9000 })),
  })
  .map(({ above, vlan, describesPorts, mtu }) => {
    const top = above === 'bond' ? 'bond0' : above === 'bridge' ? 'br0' : 'nic1';
    const isDescribed = describesPorts || above === 'none';
    const own = vlan === null ? `, ${ip(10)}` : '';
    const ports = isDescribed
      ? cards.map(
          ({ logical }) =>
            `{ name: ${logical}, type: ethernet, state: up${mtu === null ? '' : `, mtu: ${mtu}`}${logical === top ? own : ''} }`,
        )
      : [];
    const controllers = {
      bond: `{ name: bond0, type: bond, link-aggregation: { mode: 802.3ad, port: [nic1, nic2] }${own} }`,
      bridge: `{ name: br0, type: linux-bridge, bridge: { port: [{ name: nic1 }, { name: nic2 }] }${own} }`,
      none: undefined,
    };
    const via = vlan === null ? top : `${top}.${vlan}`;
    const upper =
      vlan === null
        ? undefined
        : `{ name: ${via}, type: vlan, vlan: { base-iface: ${top}, id: ${vlan} }, ${ip(10)} }`;
    const interfaces = [...ports, controllers[above], upper].filter((each) => each !== undefined);
    return `interfaces: [${interfaces.join(', ')}]
dns-resolver: { config: { server: [192.168.126.1] } }
routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: ${via} }] }
`;
  });

/**
 * The edits that the script of the agent installer makes in a keyfile. Source: openshift/assisted-service
 * internal/constants/scripts.go
 */
function withRealNames(text: string): string {
  return cards.reduce(
    (before, { logical, real }) =>
      before
        .replaceAll(new RegExp(`=${logical}$`, 'gm'), `=${real}`)
        .replaceAll(new RegExp(`=${logical}\\.`, 'g'), `=${real}.`),
    text,
  );
}

/** A keyfile as NetworkManager resolves it on these interfaces: by MAC address, and the parent of a VLAN by UUID. */
function resolved(text: string, all: readonly string[]): string {
  const card = cards.find(({ mac }) => text.includes(`\nmac-address=${mac}\n`));
  const parent = /^parent=([0-9a-f-]{36})$/m.exec(text)?.[1];
  const base = all.find((each) => each.includes(`uuid=${parent ?? ''}\n`));
  const name = cards.find(({ mac }) => base?.includes(`\nmac-address=${mac}\n`) === true)?.real ?? '';
  return (parent === undefined ? text : text.replace(`parent=${parent}`, `parent=${name}`))
    .replace(
      '[connection]\n',
      card === undefined ? '[connection]\n' : `[connection]\ninterface-name=${card.real}\n`,
    )
    .replace(/^mac-address=.*\n/m, '');
}

/** Every key with its section, sorted. */
function settingsOf(text: string): readonly string[] {
  let section = '';
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('[')) section = line;
      return line === '' || line.startsWith('[') ? [] : [`${section} ${line}`];
    })
    .toSorted();
}

function importedKeyfiles(description: string): readonly string[] {
  const table = cards.map(({ logical, mac }) => `{ name: ${logical}, macAddress: '${mac}' }`).join(', ');
  const agentConfig = `apiVersion: v1beta1
kind: AgentConfig
rendezvousIP: 192.168.126.10
hosts:
  - hostname: node-1
    rootDeviceHints: { deviceName: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4 }
    interfaces: [${table}]
    networkConfig:
${description.replace(/^(?=.)/gm, '      ')}`;
  const site = siteOf('agent-config', { ...agentFiles, 'agent-config.yaml': agentConfig });
  const inputs = testContext({ files: { 'sno-config.yaml': textOf(site, 'sno-config.yaml') } }).inputs;
  const { config } = readSnoConfig(inputs, undefined);
  return keyfilesOf(config.network ?? {}).map(({ text }) => text);
}

describeWith(['cargo'], 'profiles of an imported agent-config.yaml', () => {
  let program = '';
  beforeAll(() => {
    program = builtNmstatectl();
  }, buildTimeoutMs);

  test('configure the cards as the agent installer does', () => {
    fc.assert(
      fc.property(descriptions, (description) => {
        const profiles = importedKeyfiles(description);
        const ours = profiles.map((text) => settingsOf(withRealNames(resolved(text, profiles))));
        const theirs = Object.values(realKeyfiles(program, description)).map((text) =>
          settingsOf(withRealNames(text)),
        );
        expect(ours.map((each) => each.join('\n')).toSorted()).toEqual(
          theirs.map((each) => each.join('\n')).toSorted(),
        );
      }),
      { numRuns: 60, seed: 32 },
    );
  });
});
