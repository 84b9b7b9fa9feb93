import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scratchNode, type ScratchNode } from '../support/scratch-node.js';

const prefix = 'fd00:1::/64';

/** Output of `ip -oneline address show` for an address. */
const address = (text: string, { index = 2, dev = 'eth0', flags = '' } = {}) =>
  `${index}: ${dev}    inet6 ${text}/64 scope global${flags} \\       valid_lft forever preferred_lft forever\n`;

function nodeWith(addresses: readonly string[], routes = ''): ScratchNode {
  const node = scratchNode({ variables: { SNO_IP_FAMILY: '6', SNO_MACHINE_NETWORKS: prefix } });
  node.answer(`ip-${prefix}`, addresses.join(''));
  node.answer('ip-default', routes);
  return node;
}

const chosen = (node: ScratchNode) => node.runLines(['sno-common', 'sno-checks'], 'node_address').stdout;

// The order is that of nodeip-configuration on the installed node; recorded with iproute2 6.1.
describeWith(['bash', 'awk'], 'the address of the node', () => {
  test.each([
    {
      name: 'is not deprecated, temporary or unconfirmed by the kernel',
      given: [
        address('fd00:1::1', { flags: ' deprecated dynamic mngtmpaddr noprefixroute' }),
        address('fd00:1::2', { flags: ' temporary dynamic' }),
        address('fd00:1::3', { flags: ' tentative' }),
        address('fd00:1::9', { flags: ' dynamic mngtmpaddr noprefixroute' }),
      ],
      want: 'fd00:1::9',
    },
    {
      name: 'is on the interface of the default route',
      given: [address('fd00:1::1'), address('fd00:1::9', { index: 3, dev: 'eth1' })],
      routes: 'default via fe80::1 dev eth1 proto ra metric 101 pref medium\n',
      want: 'fd00:1::9',
    },
    {
      name: 'is on the interface whose default route has the lowest metric',
      given: [address('fd00:1::1'), address('fd00:1::9', { index: 3, dev: 'eth1' })],
      routes:
        'default via fe80::1 dev eth1 proto ra metric 50 pref medium\ndefault via fe80::1 dev eth0 proto ra metric 1024 pref medium\n',
      want: 'fd00:1::9',
    },
    {
      name: 'is the numerically lowest of an interface, whatever the order of the kernel',
      given: [address('fd00:1::20'), address('fd00:1::100'), address('fd00:1::3')],
      want: 'fd00:1::3',
    },
    {
      name: 'is public if there are several',
      given: [address('fd00:1::3'), address('fe00::1'), address('2001:db8::1')],
      want: '2001:db8::1',
    },
  ])('$name', ({ given, routes, want }) => {
    expect(chosen(nodeWith(given, routes))).toBe(`${want}\n`);
  });

  test('of IPv4 has the gateway in its subnet', () => {
    const node = scratchNode();
    const of = (text: string) => `2: eth0    inet ${text} scope global eth0\\       valid_lft forever\n`;
    node.answer(
      'ip-192.168.126.0/24',
      of('192.168.126.5/32') + of('192.168.126.11/24') + of('192.168.126.10/24'),
    );
    node.answer('ip-default', 'default via 192.168.126.1 dev eth0 proto dhcp metric 100 \n');
    expect(chosen(node)).toBe('192.168.126.10\n');
  });

  test('keeps the selected address until it disappears, even if another one appears', () => {
    const node = nodeWith([address('fd00:1::9')]);
    node.runLines(['sno-common', 'sno-checks'], 'keep_node_address');
    node.answer(`ip-${prefix}`, [address('fd00:1::1'), address('fd00:1::9')].join(''));
    expect(chosen(node)).toBe('fd00:1::9\n');
    node.answer(`ip-${prefix}`, address('fd00:1::1'));
    expect(chosen(node)).toBe('fd00:1::1\n');
  });

  test('must equal the address that etcd would select', () => {
    const node = nodeWith([address('fd00:1::9')]);
    node.write('pod', '        --initial-advertise-peer-urls=https://[fd00:1::20]:2380 \\\n');
    const lines = `check_etcd_address ${node.root}/pod`;
    const libraries = [
      'sno-common',
      'sno-checks',
      'bootkube-tools',
      'sno-control-plane',
      'bootkube-control-plane',
    ];
    const { status, stderr } = node.runLines(libraries, lines);
    expect(status).toBe(1);
    expect(stderr).toContain('etcd would use the address fd00:1::20, but the node uses fd00:1::9: ');
    node.write('pod', '--initial-advertise-peer-urls=https://[fd00:1::9]:2380\n');
    expect(node.runLines(libraries, lines).status).toBe(0);
  });
});

describeWith(['bash', 'awk'], 'the host name of the node', () => {
  test.each([
    { given: 'a'.repeat(63), isFine: true },
    { given: 'Node-1.Example.com', isFine: true },
    { given: 'a'.repeat(64), isFine: false },
    { given: 'node_1', isFine: false },
    { given: 'node-', isFine: false },
    { given: 'node..1', isFine: false },
    { given: 'node-1.', isFine: false },
  ])('$given: is accepted by Kubernetes: $isFine', ({ given, isFine }) => {
    const node = scratchNode();
    node.answer('hostname', `${given}\n`);
    const { stdout } = node.runLines(['sno-common', 'sno-checks'], 'check_hostname');
    expect(stdout).toBe(
      isFine
        ? ''
        : `the host name is '${given}', which is not a name for a node: it has at most 63 characters, letters, digits, '-' and '.'\n`,
    );
  });

  // The script mco-hostname of the machine-config operator waits while the name matches localhost, without anchors and with its case.
  test.each([
    { given: '', isFine: false },
    { given: 'localhost', isFine: false },
    { given: 'localhost.localdomain', isFine: false },
    { given: 'localhost6.localdomain6', isFine: false },
    { given: 'du1-localhost', isFine: false },
    { given: 'mylocalhost.example.com', isFine: false },
    { given: 'node1.localhost', isFine: false },
    { given: 'node1.localhosts.example.com', isFine: false },
    { given: 'Localhost', isFine: true },
    { given: 'local-host', isFine: true },
    { given: 'localdomain', isFine: true },
  ])('$given: is a name for node-valid-hostname: $isFine', ({ given, isFine }) => {
    const node = scratchNode();
    node.answer('hostname', `${given}\n`);
    const { stdout } = node.runLines(['sno-common', 'sno-checks'], 'check_hostname');
    expect(stdout).toBe(
      isFine
        ? ''
        : `the host name is '${given}': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS\n`,
    );
  });
});
