import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { nodeClock } from '../support/node-files.js';
import { scratchNode, type ScratchNode } from '../support/scratch-node.js';

const clockIssue = 'etc/issue.d/40_sno-clock.issue';
const machineIssue = 'etc/issue.d/41_sno-preflight.issue';

describeWith(['bash', 'jq'], 'sno-preflight.sh', () => {
  test('accepts a machine without faults', () => {
    const node = scratchNode();

    expect(node.run('sno-preflight.sh')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'stage clock\nstage machine\nmemory, disk, host name, address and DNS look right\n',
    });
    expect(node.list('etc')).toEqual([]);
  });

  const findings: readonly {
    name: string;
    given: (node: ScratchNode) => void;
    variables?: Readonly<Record<string, string>>;
    want: readonly string[];
  }[] = [
    {
      name: 'little memory',
      given: (node) => {
        node.answer('meminfo', 'MemFree: 1 kB\nMemTotal:       12288000 kB\n');
      },
      want: ['the machine has 12000 MiB of memory; the installation needs 15000 MiB'],
    },
    {
      name: 'a missing disk',
      given: (node) => {
        node.answer('lsblk', '/dev/vda 447G disk\n');
      },
      variables: { SNO_INSTALLATION_DISK: '/dev/disk/by-id/other' },
      want: ['the installation disk /dev/disk/by-id/other does not exist; this machine has: /dev/vda (447G)'],
    },
    {
      name: 'an invalid host name',
      given: (node) => {
        node.answer('hostname', 'localhost\n');
      },
      want: [
        "the host name is 'localhost': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
      ],
    },
    {
      name: 'a host name other than the configured one',
      given: () => undefined,
      variables: { SNO_HOSTNAME: 'sno-1' },
      want: ["the host name is 'node-1', but the configuration says 'sno-1'"],
    },
    {
      name: 'an address other than the configured one',
      given: () => undefined,
      variables: { SNO_NODE_IP: '192.168.126.11' },
      want: [
        'no network interface has an IPv4 address in machineNetwork (192.168.126.0/24) equal to 192.168.126.11',
      ],
    },
    {
      name: 'names that do not resolve, or to another address',
      given: (node) => {
        node.answer('getent-ahosts-api.sno.example.com', '');
        node.answer(
          'getent-ahosts-api-int.sno.example.com',
          '10.9.9.9 STREAM\n10.9.9.8 STREAM\n10.9.9.9 DGRAM\n',
        );
      },
      want: [
        "the name api-int.sno.example.com resolves to 10.9.9.8, 10.9.9.9, which is not this machine's address 192.168.126.10; behind a load balancer or NAT, set dns.apiCheck",
        'the name api.sno.example.com does not resolve',
      ],
    },
  ];

  test.each(findings)('warns of $name and continues', ({ given, variables = {}, want }) => {
    const node = scratchNode({ variables });
    given(node);

    const { status, stderr } = node.run('sno-preflight.sh');

    expect(status).toBe(0);
    expect(stderr).toBe(
      ['stage clock', 'stage machine', 'this machine cannot be installed:', ...want, ''].join('\n'),
    );
    expect(node.read(machineIssue).replace(/\d\d:\d\d/, 'HH:MM')).toBe(
      `\\e{lightred}Found at HH:MM UTC:\n${want.join('\n')}\\e{reset}\n`,
    );
  });

  test('removes the notice when a later check succeeds', () => {
    const node = scratchNode();
    node.answer('hostname', 'localhost\n');
    node.run('sno-preflight.sh');
    node.answer('hostname', 'node-1\n');

    node.run('sno-preflight.sh');

    expect(node.has(machineIssue)).toBe(false);
  });

  test('waits for a clock that is behind', () => {
    const node = scratchNode();
    node.answer('clock', String(nodeClock - 3600 - 60));

    const { status, stderr } = node.run('sno-preflight.sh');

    expect(status).toBe(0);
    expect(stderr).toContain(
      'waiting for the clock to lie inside the validity of the certificates, at most 600 s\n',
    );
    expect(node.calls('sleep')).toHaveLength(12);
    expect(node.has(clockIssue)).toBe(false);
  });

  test('fails and keeps the notice if the certificates have expired', () => {
    const node = scratchNode();
    node.answer('clock', String(nodeClock + 172_800));
    node.hasten(20);

    const { status, stderr } = node.run('sno-preflight.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'timed out after 600 s waiting for the clock to lie inside the validity of the certificates\n',
    );
    expect(node.read(clockIssue)).toBe(
      '\\e{lightred}the clock is at 2026-01-04 03:04:05 UTC, but the certificates expired at 2026-01-03 03:04:05 UTC: create a new Ignition config\\e{reset}\n',
    );
  });
});
