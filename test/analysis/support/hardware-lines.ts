/** Lines of real machines, from public reports; `[n]` becomes the number of the repetition. */
export interface HardwareLines {
  readonly fault: string;
  readonly log: 'kernel' | 'etcd';
  readonly line: string;
  /** Number of lines that make a finding; one line less makes none. */
  readonly least: number;
}

function etcd(message: string, fields: string, level = 'warn'): string {
  return `{"level":"${level}","ts":"2024-01-31T16:54:41.675186Z","caller":"x.go:93","msg":"${message}",${fields}}`;
}

export const hardwareLines: readonly HardwareLines[] = [
  // Sources: coreos/bugs 1811, longhorn/longhorn 2775, kubernetes/node-problem-detector 845
  ...[
    'EXT4-fs error (device xvda9): ext4_discard_preallocations:4028: comm prometheus: Error loading buddy information for 989',
    'EXT4-fs (xvda9): Remounting filesystem read-only',
    'Aborting journal on device xvda9-8.',
    'XFS (dm-4): Internal error xfs_iunlink_remove at line 2038 of file fs/xfs/xfs_inode.c.  Caller xfs_ifree+0x33/0x130 [xfs]',
    'XFS (dm-4): Corruption detected. Unmount and run xfs_repair',
    'XFS (dm-4): I/O Error Detected. Shutting down filesystem',
  ].map((line) => ({ fault: 'file-system-damaged', log: 'kernel' as const, line, least: 1 })),
  // Source: raspberrypi/linux 6661
  {
    fault: 'disk-io-errors',
    log: 'kernel',
    line: 'I/O error, dev nvme0n1, sector 3254587[n] op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2',
    least: 3,
  },
  {
    fault: 'disk-io-errors',
    log: 'kernel',
    line: 'blk_update_request: critical medium error, dev sda, sector 1953524[n] op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0',
    least: 1,
  },
  {
    fault: 'disk-not-answering',
    log: 'kernel',
    line: 'nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10',
    least: 2,
  },
  // Sources: oxidecomputer/propolis 578, linux-nvme/nvme-cli 151
  {
    fault: 'disk-not-answering',
    log: 'kernel',
    line: 'nvme nvme1: I/O 77[n] QID 2 timeout, aborting',
    least: 2,
  },
  {
    fault: 'disk-not-answering',
    log: 'kernel',
    line: 'nvme nvme2: I/O 0 QID 0 timeout, reset controller',
    least: 2,
  },
  {
    fault: 'disk-not-answering',
    log: 'kernel',
    line: 'INFO: task jbd2/sda4-8:612 blocked for more than 122 seconds.',
    least: 3,
  },
  // Source of the formats: Linux drivers/edac/edac_mc.c, arch/x86/kernel/cpu/mce/core.c, kernel/watchdog.c, mm/oom_kill.c
  {
    fault: 'hardware-errors',
    log: 'kernel',
    line: 'EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0 (channel:1 slot:0 page:0x1 offset:0x0 grain:32)',
    least: 1,
  },
  {
    fault: 'hardware-errors',
    log: 'kernel',
    line: 'EDAC MC1: 1 CE memory scrubbing error on CPU_SrcID#1_MC#0_Chan#2_DIMM#0 (channel:2 slot:0 page:0x[n])',
    least: 10,
  },
  {
    fault: 'hardware-errors',
    log: 'kernel',
    line: 'mce: [Hardware Error]: CPU 12: Machine check: 0 Bank 7: cc00008000010091',
    least: 3,
  },
  {
    fault: 'processors-stuck',
    log: 'kernel',
    line: 'watchdog: BUG: soft lockup - CPU#3 stuck for 2[n]s! [kworker/3:1:1234]',
    least: 2,
  },
  {
    fault: 'memory-exhausted',
    log: 'kernel',
    line: 'Out of memory: Killed process 4711 (kube-apiserver) total-vm:2048kB, anon-rss:1024kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0',
    least: 1,
  },
  ...[
    'igb 0000:01:00.0 eno1: igb: eno1 NIC Link is Down',
    'mlx5_core 0000:5e:00.0 ens1f0: Link down',
    'ice 0000:18:00.0 ens2f0: NIC Link is Down',
    'tg3 0000:02:00.0 eno3: Link is down',
    'bond0: (slave eno1): link status definitely down for interface eno1, disabling it',
  ].map((line) => ({ fault: 'link-flaps', log: 'kernel' as const, line, least: 6 })),
  // Sources: etcd-io/etcd 15247, 14027, 12405, 17855, 5938; k3s-io/k3s 14479, 4787
  {
    fault: 'etcd-disk-slow',
    log: 'etcd',
    line: etcd('slow fdatasync', '"took":"1.307701648s","expected-duration":"1s"'),
    least: 5,
  },
  {
    fault: 'etcd-disk-slow',
    log: 'etcd',
    line: '2020-10-20 12:15:22.088482 W | wal: sync duration of 1.018100466s, expected less than 1s',
    least: 5,
  },
  {
    fault: 'etcd-disk-slow',
    log: 'etcd',
    line: etcd(
      'leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk',
      '"to":"361f5805326a5a9a","heartbeat-interval":"100ms","expected-duration":"200ms","exceeded-duration":"88.9ms"',
    ),
    least: 10,
  },
  {
    fault: 'etcd-slow',
    log: 'etcd',
    line: etcd(
      'apply request took too long',
      String.raw`"took":"3.636105478s","expected-duration":"100ms","prefix":"read-only range ","request":"key:\"/registry/leases\" "`,
    ),
    least: 30,
  },
  {
    fault: 'etcd-slow',
    log: 'etcd',
    line: etcd(
      'waiting for ReadIndex response took too long, retrying',
      '"sent-request-id":1859580948208150369,"retry-timeout":"500ms"',
    ),
    least: 30,
  },
  {
    fault: 'etcd-space',
    log: 'etcd',
    line: etcd('failed to apply request', '"took":"12.714µs","error":"etcdserver: no space"'),
    least: 1,
  },
  {
    fault: 'etcd-space',
    log: 'etcd',
    line: etcd('alarm raised', '"alarm":"NOSPACE","from":"6b2b64547771fe6a"'),
    least: 1,
  },
  {
    fault: 'etcd-clock',
    log: 'etcd',
    line: etcd(
      'prober found high clock drift',
      '"round-tripper-name":"ROUND_TRIPPER_RAFT_MESSAGE","remote-peer-id":"aaea08a65ef0ea","clock-drift":"11.05122708s"',
    ),
    least: 3,
  },
  {
    fault: 'etcd-clock',
    log: 'etcd',
    line: '2016-07-13 16:59:59.776094 W | rafthttp: the clock difference against peer 4e8d454852097618 is too high [12.407738276s > 1s]',
    least: 3,
  },
];

/** Lines of healthy machines, each of which may come many times. */
export const healthyLines: readonly Pick<HardwareLines, 'log' | 'line'>[] = [
  ...[
    'ata1: SATA link down (SStatus 0 SControl 300)',
    'I/O error, dev sr0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2',
    'Buffer I/O error on dev sr0, logical block 0, async page read',
    'I/O error, dev fd0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2',
    'EDAC MC: Ver: 3.0.0',
    'EDAC MC0: Giving out device to module skx_edac controller Skylake Socket#0 IMC#0: DEV 0000:3a:0a.0 (INTERRUPT)',
    'mce: CPU0 has 20 MCE banks',
    'MCE: In-kernel MCE decoding enabled.',
    'XFS (sda4): Mounting V5 Filesystem',
    'XFS (sda4): Starting recovery (logdev: internal)',
    'XFS (sda4): Ending clean mount',
    'EXT4-fs (sda3): mounted filesystem with ordered data mode. Quota mode: none.',
    'Memory cgroup out of memory: Killed process 812 (stress) total-vm:8kB, anon-rss:4kB, file-rss:0kB',
    'nvme nvme0: 4/0/0 default/read/poll queues',
    'ice 0000:18:00.0 ens2f0: NIC Link is up 25 Gbps Full Duplex, Requested FEC: RS-FEC, Negotiated FEC: NONE',
    'IPv6: ADDRCONF(NETDEV_CHANGE): eno1: link becomes ready',
    'bond0: (slave eno1): link status definitely up, 25000 Mbps full duplex',
  ].map((line) => ({ log: 'kernel' as const, line })),
  ...[
    etcd(
      'apply request took too long',
      String.raw`"took":"388.133988ms","expected-duration":"100ms","prefix":"read-only range ","request":"key:\"/registry/secrets\" "`,
    ),
    etcd('saved snapshot', '"snapshot-index":100001', 'info'),
    etcd('finished scheduled compaction', '"compact-revision":1370553,"took":"1.1s"', 'info'),
    etcd('rejected connection on client endpoint', '"error":"EOF"'),
  ].map((line) => ({ log: 'etcd' as const, line })),
];
