import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { ageKeys } from '../../support/age-keys.js';
import { snapshot } from '../../support/command.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { scratchFolder } from '../../support/scratch.js';

function siteFolder(): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  return dir;
}

async function create(dir: string, ...options: readonly string[]): Promise<CommandOutput> {
  return await snoInProcess(['create', 'sno-config', '--dir', dir, ...options]);
}

interface Written {
  readonly nodeIP: string;
  readonly rootDeviceHints?: unknown;
  readonly kernelArguments?: unknown;
  readonly network: { readonly interfaces: readonly object[] };
}

/** The values of a written file. */
function sno(dir: string): Written {
  const { documents } = readYaml(readFileSync(join(dir, 'sno-config.yaml'), 'utf8'));
  return toData(documents[0] ?? expect.fail()) as Written;
}

/** The install-config with the IPv6 network of each kind first. */
function swapped(text: string): string {
  return text
    .replace(/(machineNetwork:\n)(.*\n)(.*\n)/, '$1$3$2')
    .replace(/(serviceNetwork:\n)(.*\n)(.*\n)/, '$1$3$2')
    .replace(/(clusterNetwork:\n)(.*\n.*\n)(.*\n.*\n)/, '$1$3$2');
}

describe('create sno-config', () => {
  it('writes a config that validate accepts as it is', async () => {
    const dir = siteFolder();
    const path = join(dir, 'sno-config.yaml');

    const created = await create(dir);
    const check = (target: string): Promise<CommandOutput> =>
      snoInProcess(['validate', '--dir', dir, '--target', target]);
    const checks = [await check('single-node-ignition-config')];
    // An all-in-one machine ignores the disk and reports that.
    writeFileSync(
      join(dir, 'install-config.yaml'),
      minimalInstallConfig.replace(/bootstrapInPlace:\n.*\n/, ''),
    );
    checks.push(await check('aio-ignition'));

    expect(created).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Wrote ${path}.\nNext: \`sno-install validate --dir ${dir}\`.\n`,
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(checks.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });

  it('sets the given values', async () => {
    const dir = siteFolder();
    const options = [
      ...['--hostname', 'sno.example.com', '--node-ip', '192.168.126.10', '--local-dns'],
      ...['--ntp-source', 'a.example.com', '--ntp-source', '192.168.126.1'],
      ...['--release-image', 'quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64'],
      ...['--release-version', '4.20'],
      ...['--recipient', ageKeys.ours.recipient, '--recipient', ageKeys.others.recipient],
    ];

    const { code } = await create(dir, ...options);

    const set = readFileSync(join(dir, 'sno-config.yaml'), 'utf8').match(/^ *[^# \n].*$/gm);
    expect(code).toBe(0);
    expect(set).toEqual([
      'apiVersion: sno-install/v1alpha1',
      'kind: SingleNodeConfig',
      'hostname: sno.example.com',
      'nodeIP: 192.168.126.10',
      'releaseImage: quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64',
      'releaseVersion: "4.20"',
      'dns:',
      '  local: true',
      'ntpSources:',
      '  - a.example.com',
      '  - 192.168.126.1',
      'state:',
      '  recipients:',
      `    - ${ageKeys.ours.recipient}`,
      `    - ${ageKeys.others.recipient}`,
    ]);
    expect((await snoInProcess(['validate', '--dir', dir])).stdout).toBe('no problems found\n');
  });

  it('marks the address without which a node cannot answer for its names', async () => {
    const dir = siteFolder();

    const { stdout } = await create(dir, '--local-dns');
    const { code, stderr } = await snoInProcess(['validate', '--dir', dir]);

    expect(stdout).toContain('\nFill in: nodeIP.\n');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error[config/node-ip]: nodeIP "<address of the node>" is not an address\n  --> ' +
        `${dir}/sno-config.yaml:`,
    );
    expect(stderr).toContain('= hint: fill it in\n');
  });

  it('refuses what validate would refuse, by the option that gave it', async () => {
    const dir = siteFolder();

    const { code, stderr } = await create(
      dir,
      ...['--hostname', 'Node', '--node-ip', '10.0.0.1', '--ntp-source', 'a b', '--release-image', 'x'],
      ...['--recipient', 'age1'],
    );

    expect(code).toBe(1);
    expect(stderr).toBe(
      'error[config/hostname]: --hostname: hostname "Node" is not a valid node name: it has upper-case letters\n\n' +
        'error[config/node-ip]: --node-ip: nodeIP 10.0.0.1 is in none of the machine networks (192.168.126.0/24)\n\n' +
        'error[config/release-image]: --release-image: releaseImage "x" is not a pull spec with its registry\n\n' +
        'error[config/ntp-source]: --ntp-source: time server "a b" is neither a domain name nor an address\n\n' +
        'error[state/recipient]: --recipient 1 is not an age recipient: write the `age1…` line that `age-keygen -y` prints\n\n' +
        '5 errors; nothing was written\n',
    );
    expect(Object.keys(snapshot(dir))).toEqual(['install-config.yaml']);
  });

  it.each([
    {
      name: 'an interface',
      link: ['--interface', 'eno1'],
      want: { name: 'eno1', links: ['eno1'] },
    },
    {
      name: 'a VLAN over a bond',
      link: ['--bond', 'bond0=eno1,eno2', '--bond-mode', '802.3ad', '--vlan', '126'],
      want: { name: 'bond0.126', links: ['bond0', 'bond0.126'] },
    },
    {
      name: 'a bond of MAC addresses',
      link: ['--bond', 'bond0=52:54:00:00:00:01,52:54:00:00:00:02'],
      want: { name: 'bond0', links: ['port1', 'port2', 'bond0'] },
    },
    {
      name: 'a bond of MAC addresses in other forms',
      link: ['--bond', 'bond0=52-54-00-00-00-01,5254.0000.0002,525400000003'],
      want: { name: 'bond0', links: ['port1', 'port2', 'port3', 'bond0'] },
    },
    {
      name: 'a bond with the name of a profile',
      link: ['--bond', 'port1=52:54:00:00:00:01,52:54:00:00:00:02'],
      want: { name: 'port1', links: ['port2', 'port3', 'port1'] },
    },
    {
      name: 'a bond whose port has the name of a profile',
      link: ['--bond', 'bond0=52:54:00:00:00:01,port1,52:54:00:00:00:02'],
      want: {
        name: 'bond0',
        links: ['port2', 'port4', 'bond0'],
        warning: /no network card the name "port1"/,
      },
    },
    {
      name: 'an interface with a MAC address with dashes',
      link: ['--interface', '52-54-00-00-00-0A'],
      want: { name: 'uplink', links: ['uplink'] },
    },
    {
      name: 'an interface with a MAC address',
      link: ['--interface', '52:54:00:00:00:0A', '--vlan', '126'],
      want: { name: 'uplink.126', links: ['uplink', 'uplink.126'] },
    },
  ])('writes a static address on $name', async ({ link, want }) => {
    const dir = siteFolder();
    const address = ['--address', '192.168.126.10/24', '--gateway', '192.168.126.1'];
    await create(
      dir,
      '--hostname',
      'node-1',
      '--local-dns',
      ...address,
      '--dns-server',
      '192.168.126.2',
      ...link,
    );

    const { documents } = readYaml(readFileSync(join(dir, 'sno-config.yaml'), 'utf8'));
    const { nodeIP, network } = toData(documents[0] ?? expect.fail()) as {
      readonly nodeIP: string;
      readonly network: {
        readonly interfaces: readonly { readonly name: string; readonly ipv4?: unknown }[];
        readonly routes: unknown;
      };
    };
    expect([nodeIP, network.interfaces.map(({ name }) => name)]).toEqual(['192.168.126.10', want.links]);
    expect(network.interfaces.at(-1)?.ipv4).toEqual({
      enabled: true,
      dhcp: false,
      address: [{ ip: '192.168.126.10', 'prefix-length': 24 }],
    });
    expect(network.routes).toEqual({
      config: [
        { destination: '0.0.0.0/0', 'next-hop-address': '192.168.126.1', 'next-hop-interface': want.name },
      ],
    });
    const { stdout, stderr } = await snoInProcess(['validate', '--dir', dir]);
    expect(stdout).toMatch(/^no (?:problems|errors) found/);
    expect(stderr).toMatch(want.warning ?? /^$/);
  });

  it('writes a bond with LACP options, a disk by its serial number and kernel arguments', async () => {
    const dir = siteFolder();
    const config = minimalInstallConfig.replace(/bootstrapInPlace:\n.*\n/, '');
    writeFileSync(join(dir, 'install-config.yaml'), config);
    const bond = ['--bond', 'bond0=52:54:00:00:00:01,52:54:00:00:00:02', '--bond-mode', '802.3ad'];
    const bondOptions = ['miimon=140', 'lacp_rate=fast', 'xmit_hash_policy=layer3+4'];
    await create(
      dir,
      ...[
        '--hostname',
        'node-1',
        '--local-dns',
        '--address',
        '192.168.126.10/24',
        '--gateway',
        '192.168.126.1',
      ],
      '--dns-server',
      '192.168.126.2',
      ...[...bond, ...bondOptions.flatMap((option) => ['--bond-option', option])],
      ...['--disk-serial', 'S6ESNX0R100123', '--dest-karg', 'console=ttyS0', '--dest-karg', 'nosmt'],
    );

    const written = sno(dir);
    expect([written.rootDeviceHints, written.kernelArguments]).toEqual([
      { serialNumber: 'S6ESNX0R100123' },
      ['console=ttyS0', 'nosmt'],
    ]);
    expect(written.network.interfaces.at(-1)).toMatchObject({
      name: 'bond0',
      'link-aggregation': {
        mode: '802.3ad',
        options: { miimon: '140', lacp_rate: 'fast', xmit_hash_policy: 'layer3+4' },
        port: ['port1', 'port2'],
      },
    });
    expect(await snoInProcess(['validate', '--dir', dir])).toEqual({
      code: 0,
      stdout: 'no problems found\n',
      stderr: '',
    });
  });

  it.each([
    { name: 'IPv4 first', config: 'dual-stack', nodeIP: '192.168.126.10' },
    { name: 'IPv6 first', config: 'dual-stack', swaps: true, nodeIP: 'fd2e:6f44:5dd8::10' },
  ])('writes both addresses of dual stack, $name', async ({ config, swaps = false, nodeIP }) => {
    const dir = siteFolder();
    const text = readFileSync(`fixtures/configs/${config}/install-config.yaml`, 'utf8');
    writeFileSync(join(dir, 'install-config.yaml'), swaps ? swapped(text) : text);
    await create(
      dir,
      ...['--hostname', 'node-1', '--local-dns', '--interface', 'eno1'],
      ...['--address', '192.168.126.10/24', '--gateway', '192.168.126.1', '--dns-server', '192.168.126.2'],
      ...['--address', 'fd2e:6f44:5dd8::10/64', '--gateway', 'fe80::1', '--dns-server', 'fd2e:6f44:5dd8::2'],
    );

    const written = sno(dir);
    expect(written.nodeIP).toBe(nodeIP);
    expect(written.network).toMatchObject({
      interfaces: [
        {
          ipv4: { address: [{ ip: '192.168.126.10', 'prefix-length': 24 }] },
          ipv6: { address: [{ ip: 'fd2e:6f44:5dd8::10', 'prefix-length': 64 }], autoconf: false },
        },
      ],
      'dns-resolver': { config: { server: ['192.168.126.2', 'fd2e:6f44:5dd8::2'] } },
      routes: {
        config: [
          { destination: '0.0.0.0/0', 'next-hop-address': '192.168.126.1' },
          { destination: '::/0', 'next-hop-address': 'fe80::1' },
        ],
      },
    });
    expect(await snoInProcess(['validate', '--dir', dir])).toEqual({
      code: 0,
      stdout: 'no problems found\n',
      stderr: '',
    });
  });

  it.each([
    { options: ['--gateway', '192.168.126.1'], says: '--gateway requires --address' },
    {
      options: ['--interface', 'a', '--address', '192.168.126.10/24', '--address', '192.168.126.11/24'],
      says: 'There is one of IPv4 already: give one of IPv4 and one of IPv6.',
    },
    {
      options: ['--interface', 'a', '--address', '192.168.126.10/24', '--gateway', '2001:db8::1'],
      says: '--gateway 2001:db8::1 has no --address of IPv6',
    },
    {
      options: ['--gateway', '192.168.126.1', '--gateway', '192.168.126.2'],
      says: 'There is one of IPv4 already',
    },
    { options: ['--bond-option', 'lacp_rat=fast'], says: 'Unknown option; there are ' },
    { options: ['--bond-option', 'lacp_rate'], says: 'Write OPTION=VALUE, such as lacp_rate=fast.' },
    {
      options: ['--bond-option', 'lacp_rate=fast', '--bond-option', 'lacp_rate=slow'],
      says: 'lacp_rate can be given only once.',
    },
    {
      options: ['--address', '192.168.126.10/24', '--interface', 'a', '--bond-option', 'miimon=100'],
      says: '--bond-option requires --bond',
    },
    { options: ['--address', '192.168.126.10/24'], says: '--address requires --interface or --bond' },
    {
      options: ['--address', '192.168.126.10/24', '--interface', 'a', '--bond', 'b=c'],
      says: '--interface and --bond cannot be combined',
    },
    { options: ['--address', '192.168.126.10', '--interface', 'a'], says: 'Write ADDRESS/PREFIX.' },
    { options: ['--vlan', 'x'], says: 'Write a number from 1 to 4094.' },
  ])('rejects $options', async ({ options, says }) => {
    const dir = siteFolder();
    const { code, stderr } = await create(dir, ...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(Object.keys(snapshot(dir))).toEqual(['install-config.yaml']);
  });

  it.each([
    { option: '--bond-option', options: ['--bond-option', 'lacp_rate=quick', '--bond-mode', '802.3ad'] },
    { option: '--bond-option', options: ['--bond-option', 'lacp_rate=fast'] },
    { option: '--bond-mode', options: ['--bond-mode', '802.3'] },
    { option: '--dest-karg', options: ['--dest-karg', 'a b'] },
    { option: '--disk-serial', options: ['--disk-serial', 'S6ESNX0R100123'] },
  ])('reports a wrong $options by its option', async ({ option, options }) => {
    const dir = siteFolder();
    const bond = ['--address', '192.168.126.10/24', '--bond', 'bond0=eno1,eno2'];
    const { code, stderr } = await create(dir, '--hostname', 'a', ...bond, ...options);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^error\\[.*\\]: ${option}: `, 'm')),
    ]);
    expect(Object.keys(snapshot(dir))).toEqual(['install-config.yaml']);
  });

  it('does not count the placeholder of a disk as one', async () => {
    const dir = siteFolder();
    const open = minimalInstallConfig.replace(/(installationDisk: ).*/, "$1'</dev/disk/by-id/…>'");
    writeFileSync(join(dir, 'install-config.yaml'), open);
    const { code } = await create(dir, '--disk-serial', 'S6ESNX0R100123');
    const { stdout } = await snoInProcess(['validate', '--dir', dir, '-o', 'json']);
    const { problems } = JSON.parse(stdout) as { readonly problems: readonly { readonly code: string }[] };
    expect([code, problems.map((each) => each.code)]).toEqual([0, ['config/installation-disk']]);
  });

  it('reports a wrong network by its option', async () => {
    const dir = siteFolder();
    const options = ['--address', '192.168.126.10/24', '--interface', 'eno1', '--gateway', '10.0.0.1'];
    const { code, stderr } = await create(dir, '--hostname', 'a', ...options, '--dns-server', 'x');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[config\/route\]: --gateway: /m);
    expect(stderr).toMatch(/^error\[.*\]: --dns-server: /m);
  });

  it('never overwrites: dir/file-exists', async () => {
    const dir = siteFolder();
    writeFileSync(join(dir, 'sno-config.yaml'), 'mine');

    const { code, stderr } = await create(dir);

    expect([code, readFileSync(join(dir, 'sno-config.yaml'), 'utf8')]).toEqual([1, 'mine']);
    expect(stderr).toContain('error[dir/file-exists]: ');
  });
});
