import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { nodeWithAllDoneBut } from '../support/bootkube.js';
import { nodeClock } from '../support/node-files.js';
import { type ScratchNode } from '../support/scratch-node.js';

describeWith(['bash', 'jq'], 'bootkube.sh waits', () => {
  const cases: readonly { name: string; given: (node: ScratchNode) => void; want: readonly string[] }[] = [
    {
      name: 'for the release payload',
      given: (node) => {
        node.drop('release');
      },
      want: ['timed out after 3900 s waiting for the release payload (see: journalctl --unit release-image)'],
    },
    {
      name: 'for CRI-O and the kubelet',
      given: (node) => {
        node.fail('systemctl-is-active', 'always');
      },
      want: ['timed out after 900 s waiting for CRI-O and the kubelet to run'],
    },
    {
      name: 'for the clock, and logs its time whenever it changes',
      given: (node) => {
        node.answer('clock', String(nodeClock - 7200));
      },
      want: [
        'the clock is at 2026-01-02 01:04:05 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
        'the clock is at 2026-01-02 01:12:25 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
        'the clock is at 2026-01-02 01:20:45 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
        'the clock is at 2026-01-02 01:29:05 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
        'the clock is at 2026-01-02 01:37:25 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
        "timed out after 1800 s waiting for the clock to lie inside the certificates' validity",
        'the clock is at 2026-01-02 01:37:25 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
      ],
    },
    {
      name: 'for a host name, and logs the reason once',
      given: (node) => {
        node.answer('hostname', 'localhost.localdomain\n');
      },
      want: [
        "the host name is 'localhost.localdomain': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
        'timed out after 300 s waiting for a host name of its own',
        "the host name is 'localhost.localdomain': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
      ],
    },
    {
      name: 'for an address',
      given: (node) => {
        node.answer('ip-192.168.126.0/24', '');
      },
      want: [
        'no network interface has an IPv4 address in machineNetwork (192.168.126.0/24)',
        'timed out after 300 s waiting for an address in 192.168.126.0/24',
        'no network interface has an IPv4 address in machineNetwork (192.168.126.0/24)',
      ],
    },
    {
      name: 'for the internal name of the API',
      given: (node) => {
        node.answer('getent-ahosts-api-int.sno.example.com', '192.0.2.7 STREAM\n');
      },
      want: [
        "the name api-int.sno.example.com resolves to 192.0.2.7, which is not this machine's address 192.168.126.10; behind a load balancer or NAT, set dns.apiCheck",
        'timed out after 300 s waiting for the name api-int.sno.example.com to resolve to this machine',
        "the name api-int.sno.example.com resolves to 192.0.2.7, which is not this machine's address 192.168.126.10; behind a load balancer or NAT, set dns.apiCheck",
      ],
    },
    {
      name: 'for the disk',
      given: (node) => {
        node.remove('dev/disk/by-id/test');
      },
      want: [
        'the installation disk /dev/disk/by-id/test does not exist; this machine has: ',
        'timed out after 300 s waiting for the installation disk /dev/disk/by-id/test',
        'the installation disk /dev/disk/by-id/test does not exist; this machine has: ',
      ],
    },
    {
      name: 'for the address with which etcd was started',
      given: (node) => {
        node.write('opt/openshift/node-address', '192.168.126.99');
      },
      want: [
        'the address 192.168.126.99, with which etcd was started, is no longer on this machine: set it again, or boot the medium again',
        'timed out after 300 s waiting for the address that etcd was started with',
        'the address 192.168.126.99, with which etcd was started, is no longer on this machine: set it again, or boot the medium again',
      ],
    },
    {
      name: 'not for memory',
      given: (node) => {
        node.answer('meminfo', 'MemTotal:       8388608 kB\n');
      },
      want: [
        'the machine has 8192 MiB of memory; the installation needs 15000 MiB',
        'timed out after 0 s waiting for enough memory',
        'the machine has 8192 MiB of memory; the installation needs 15000 MiB',
      ],
    },
    {
      name: 'for etcd',
      given: (node) => {
        node.fail('etcd-etcdctl', 'always');
      },
      want: ['timed out after 1200 s waiting for etcd to be healthy'],
    },
  ];

  test.each(cases)('$name, with a limit', ({ given, want }) => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.hasten(100);
    given(node);

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    const said = stderr
      .split('\n')
      .filter((line) =>
        /timed out|the clock is at|host name is|no network|^the (name|installation disk|address|machine) /.test(
          line,
        ),
      );
    expect(said).toEqual(want);
  });
});
