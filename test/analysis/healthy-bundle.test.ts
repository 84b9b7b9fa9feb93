import { describe, expect, test } from 'vitest';

import { analyzeBundle } from '../../src/analysis/analyze.js';
import { bundleOf } from '../../src/analysis/bundle.js';
import { entry } from './support/made-bundle.js';

/** Lines of installations that completed. They repeat until the API server, the DNS server or the network is ready. */
const usual: Readonly<Record<string, readonly string[]>> = {
  bootkube: [
    '[#1] failed to fetch discovery: Get "https://localhost:6443/api?timeout=32s": dial tcp [::1]:6443: connect: connection refused',
    'Failed to create "99_openshift-machineconfig_99-master-ssh.yaml" machineconfigs.v1.machineconfiguration.openshift.io/ -n : the server could not find the requested resource',
    'Skipped "cluster-dns-02-config.yml" dnses.v1.config.openshift.io/cluster -n  as it already exists',
  ],
  kubelet: [
    'E0102 03:04:05.678901    2345 reflector.go:150] k8s.io/client-go/informers/factory.go:160: Failed to watch *v1.Node: failed to list *v1.Node: Get "https://api-int.site1.example.com:6443/api/v1/nodes?limit=500": dial tcp 192.168.126.10:6443: connect: connection refused',
    'E0102 03:04:05.678901    2345 kubelet_node_status.go:96] "Unable to register node with API server" err="Post \\"https://api-int.site1.example.com:6443/api/v1/nodes\\": dial tcp 192.168.126.10:6443: connect: connection refused" node="sno1"',
    'E0102 03:04:05.678901    2345 kubelet.go:2911] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: no CNI configuration file in /etc/kubernetes/cni/net.d/. Has your network provider started?"',
    'I0102 03:04:05.678901    2345 log.go:245] http: TLS handshake error from 10.128.0.20:41000: EOF',
    'E0102 03:04:05.678901    2345 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"etcd\\" with CrashLoopBackOff: \\"back-off 10s restarting failed container=etcd\\""',
  ],
  crio: [
    'time="2026-01-02 03:04:05.678901234Z" level=warning msg="Couldn\'t find cri-o-runc, disabling it"',
    'time="2026-01-02 03:04:05.678901234Z" level=info msg="Image quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0123 not found" id=a name=/runtime.v1.ImageService/ImageStatus',
  ],
};

const kernel = [
  'ACPI BIOS Error (bug): Could not resolve symbol [\\_SB.PCI0], AE_NOT_FOUND (20230628/psargs-330)',
  'igb 0000:01:00.0 eno1: igb: eno1 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX/TX',
  'ata1: SATA link down (SStatus 0 SControl 300)',
  'blk_update_request: I/O error, dev sr0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0',
  'I/O error, dev fd0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2',
  'Buffer I/O error on dev sr0, logical block 0, async page read',
  'XFS (sda4): Mounting V5 Filesystem',
  'MCE: In-kernel MCE decoding enabled.',
  'mce: CPU0: Thermal monitoring enabled (TM1)',
  'NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.',
];

const etcd = [
  '{"level":"warn","ts":"2026-01-02T03:04:05.678901Z","caller":"etcdserver/util.go:170","msg":"apply request took too long","took":"120.3ms","expected-duration":"100ms"}',
  '{"level":"warn","ts":"2026-01-02T03:04:05.678901Z","caller":"embed/config_logging.go:169","msg":"rejected connection","remote-addr":"192.168.126.10:50012","error":"EOF"}',
  '{"level":"info","ts":"2026-01-02T03:04:05.678901Z","caller":"mvcc/hash.go:137","msg":"storing new hash","revision":1234}',
];

/** The next attempt succeeded. */
const pullFailed =
  'pulling quay.io/a/b:c failed after 5 s of 3600 s, next try in 5 s: Error: initializing source docker://quay.io/a/b:c: pinging container registry quay.io: Get "https://quay.io/v2/": dial tcp: lookup quay.io on 192.168.126.1:53: i/o timeout';

function journal(unit: string, lines: readonly string[], second: number): string {
  const stamp = `2026-01-02T03:04:${String(second).padStart(2, '0')}+0000`;
  // More often than any threshold of a fault.
  return lines.map((line) => `${stamp} sno1 ${unit}[1]: ${line}\n`.repeat(50)).join('');
}

const stages = {
  bootkube: ['machine', 'cb-bootstrap', 'wait-for-etcd', 'stop-etcd'],
  'release-image': ['pull-release-image'],
  'install-to-disk': ['coreos-installer', 'reboot'],
} as const;

/** The bundle of a live system; without `last`, the last stage of each service has not ended. */
function healthy(last: 'ended' | 'running'): ReturnType<typeof bundleOf> {
  const records = Object.entries(stages).map(([service, names]) => {
    const entries = names.flatMap((stage, index) => [
      entry(index * 2 + 1, 'stage start', { stage }),
      ...(last === 'ended' || index < names.length - 1
        ? [entry(index * 2 + 2, 'stage end', { stage, result: 'success' })]
        : []),
    ]);
    return [`bootstrap/services/${service}.json`, JSON.stringify(entries)] as const;
  });
  const journals = Object.entries(usual).map(
    ([unit, lines]) => [`bootstrap/journals/${unit}.log`, journal(unit, lines, 7)] as const,
  );
  const texts = [
    ...records,
    ...journals,
    ['bootstrap/journals/journal.log.gz', journal('kernel', kernel, 1)] as const,
    ['bootstrap/containers/etcd-0123.log', etcd.join('\n')] as const,
    [
      'bootstrap/journals/release-image.log',
      last === 'ended' ? journal('release-image.sh', [pullFailed], 1) : '',
    ] as const,
    ['gather.log', 'x\n'] as const,
  ];
  const files = texts.map(([path, text]) => ({ path, text, sizeBytes: text.length }));
  return bundleOf('log-bundle-1.tar.gz', files, []);
}

describe('a bundle of a machine without a fault', () => {
  test.each([
    { last: 'running', verdict: 'in-progress' },
    { last: 'ended', verdict: 'complete' },
  ] as const)('has no finding: $verdict', ({ last, verdict }) => {
    const analysis = analyzeBundle(healthy(last));
    expect({
      verdict: analysis.verdict,
      faults: analysis.faults.map(({ fault, line }) => [fault.id, line.text]),
      notes: analysis.notes.map(({ fault, line }) => [fault.id, line.text]),
    }).toEqual({ verdict, faults: [], notes: [] });
  });
});
