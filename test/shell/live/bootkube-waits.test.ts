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
      name: 'for the clock, saying what it says each time that changes',
      given: (node) => {
        node.answer('clock', String(nodeClock - 7200));
      },
      want: [
        'the clock says 2026-01-02 01:04:05 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
        'the clock says 2026-01-02 01:12:25 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
        'the clock says 2026-01-02 01:20:45 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
        'the clock says 2026-01-02 01:29:05 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
        'the clock says 2026-01-02 01:37:25 UTC, before 2026-01-02 02:04:05 UTC, when the certificates begin',
        "timed out after 1800 s waiting for the clock to lie inside the certificates' validity",
      ],
    },
    {
      name: 'for a host name, saying why once',
      given: (node) => {
        node.answer('hostname', 'localhost.localdomain\n');
      },
      want: [
        "the host name is 'localhost.localdomain': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS",
        'timed out after 300 s waiting for a host name of its own',
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

  test.each(cases)('$name, but not for ever', ({ given, want }) => {
    const node = nodeWithAllDoneBut(['cb-bootstrap']);
    node.hasten(100);
    given(node);

    const { status, stderr } = node.run('bootkube.sh');

    expect(status).toBe(1);
    const said = stderr
      .split('\n')
      .filter((line) => /timed out|the clock says|host name is|no network/.test(line));
    expect(said).toEqual(want);
  });
});
