import type { Fault } from './fault.js';
import type { Sign } from './signs.js';

/**
 * Signs in the kernel log and in etcd's log. Healthy machines have single lines of most of them while they boot or pull images, so
 * several lines are needed. A line without a limit never appears on a healthy machine.
 */
function kernel(says: RegExp, source: string, least = 1): Sign {
  return { unit: 'kernel', program: 'Linux', says, source, least };
}

function etcd(says: RegExp, source: string, least: number): Sign {
  return { unit: 'etcd', program: 'etcd', says, source, least };
}

const common = { stages: 'any', weight: 'note', isLasting: true, mayBeCause: true } as const;

/** Faults of disk, memory, CPU and links, found in logs of the kernel and of etcd. */
export const hardwareFaults: readonly Fault[] = [
  {
    ...common,
    id: 'file-system-damaged',
    title: 'a file system of the node is damaged',
    signs: [
      kernel(
        /EXT4-fs error \(device |Aborting journal on device |Remounting filesystem read-only/,
        'Linux fs/ext4/super.c, __ext4_error and ext4_handle_error; fs/jbd2/journal.c',
      ),
      kernel(
        /XFS \([^)]+\): (?:Corruption |Metadata corruption|Internal error |Unmount and run xfs_repair|.*Shutting down filesystem)/,
        'Linux fs/xfs/xfs_error.c and xfs_fsops.c',
      ),
    ],
    cause: 'The disk lost or changed data, or the power failed while its write cache was not protected.',
    fix: 'Check the disk in the BMC and with `sudo smartctl --all DISK`; replace it if it has errors, and install again.',
  },
  {
    ...common,
    id: 'disk-io-errors',
    title: 'the kernel reports I/O errors of a disk',
    signs: [
      kernel(/critical medium error, dev (?!sr|fd|loop)\w+/, 'Linux block/blk-core.c, blk_errors'),
      kernel(
        /(?<!Buffer )I\/O error, dev (?!sr|fd|loop)(\w+), sector/,
        'Linux block/blk-mq.c, blk_print_req_error',
        3,
      ),
    ],
    cause: 'The disk, its cable or its controller is defective.',
    fix: 'Check the disk in the BMC and with `sudo smartctl --all DISK`; replace the disk or the cable.',
  },
  {
    ...common,
    id: 'disk-not-answering',
    title: 'a disk does not answer in time',
    signs: [
      kernel(
        /(nvme\d+): (?:I\/O (?:tag )?\d+ .*timeout|controller is down; will reset|Device not ready; aborting)/,
        'Linux drivers/nvme/host/pci.c, nvme_timeout and nvme_warn_reset',
        2,
      ),
      kernel(/task \S+ blocked for more than \d+ seconds/, 'Linux kernel/hung_task.c, check_hung_task', 3),
    ],
    cause:
      'The disk or its controller is overloaded or defective, or its firmware has a faulty power saving mode.',
    fix: 'Update the firmware of disk and controller. For NVMe, try the kernel argument nvme_core.default_ps_max_latency_us=0; if the lines come back, replace the disk.',
  },
  {
    ...common,
    id: 'hardware-errors',
    title: 'the machine reports hardware errors of memory or CPU',
    signs: [
      kernel(
        /EDAC \S+ \d+ UE |Uncorrected (?:hardware )?(?:memory )?error|Machine check: Processor context corrupt|event severity: fatal/,
        'Linux drivers/edac/edac_mc.c, arch/x86/kernel/cpu/mce/core.c and drivers/firmware/efi/cper.c',
      ),
      kernel(/EDAC (MC\d+): \d+ CE /, 'Linux drivers/edac/edac_mc.c, edac_ce_error', 10),
      kernel(/mce: \[Hardware Error\]: /, 'Linux arch/x86/kernel/cpu/mce/core.c, print_mce', 3),
    ],
    cause: 'A memory module or a CPU is defective or not seated well.',
    fix: 'Read the event log of the BMC, which names the module, and replace it.',
  },
  {
    ...common,
    id: 'processors-stuck',
    title: 'processors of the machine stand still for seconds',
    signs: [
      kernel(
        /watchdog: BUG: soft lockup - CPU#\d+ stuck|rcu: INFO: rcu\w* (?:self-)?detected (?:expedited )?stall/,
        'Linux kernel/watchdog.c and kernel/rcu/tree_stall.h',
        2,
      ),
    ],
    cause:
      'A virtual machine gets too little time of its host, or the firmware throttles or interrupts the CPU.',
    fix: 'Give the virtual machine dedicated CPUs; on hardware, update the firmware and disable power saving in it.',
  },
  {
    ...common,
    id: 'memory-exhausted',
    title: 'the kernel has ended processes because the memory of the node is full',
    signs: [kernel(/(?<!cgroup )out of memory: Killed process/i, 'Linux mm/oom_kill.c, __oom_kill_process')],
    cause:
      'Pods and services need more memory than the node has. Limits of single pods are not counted here.',
    fix: 'Give the machine more memory, or reduce hugepages in the PerformanceProfile and the requests of pods.',
  },
  {
    ...common,
    id: 'link-flaps',
    title: 'a network link goes up and down',
    signs: [
      kernel(
        /\b(?!SATA)([a-z][\w.-]{1,14}):? (?:NIC )?Link (?:is )?Down/i,
        'Linux drivers/net/ethernet: e1000e, igb, ixgbe, i40e, ice, bnxt, tg3 and mlx5, their messages on carrier changes',
        6,
      ),
      kernel(
        /link status definitely down for interface ([\w.-]+)/,
        'Linux drivers/net/bonding/bond_main.c, bond_miimon_commit',
        6,
      ),
    ],
    cause: 'A cable, transceiver or switch port is defective, or both ends negotiate different speeds.',
    fix: 'Replace cable and transceiver, and compare speed and FEC with the switch port.',
  },
  {
    ...common,
    id: 'etcd-disk-slow',
    title: 'the disk is too slow for etcd',
    signs: [
      etcd(
        /"slow fdatasync"|sync duration of \S+, expected less than/,
        'etcd server/storage/wal/wal.go, sync',
        5,
      ),
      etcd(
        /leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk/,
        'etcd server/etcdserver/raft.go, processMessages',
        10,
      ),
    ],
    cause:
      'Writes of etcd to the disk take more than a second again and again. OpenShift needs 10 ms in 99 of 100 writes.',
    fix: 'Use an NVMe disk or an SSD, enable the write cache of the controller, and keep other writers off the disk.',
  },
  {
    ...common,
    id: 'etcd-slow',
    title: 'etcd answers too slowly',
    signs: [
      etcd(
        /"apply request took too long","took":"(?:[1-9][\d.]*s|\d+m)/,
        'etcd server/etcdserver/txn/util.go, warnOfExpensiveGenericRequest',
        30,
      ),
      etcd(
        /waiting for ReadIndex response took too long, retrying/,
        'etcd server/etcdserver/v3_server.go, requestCurrentIndex',
        30,
      ),
    ],
    cause:
      'Requests take seconds: the disk or the CPU is overloaded, often by other programs or a slow virtual machine.',
    fix: 'Compare with the lines on the disk in the kernel log; give the machine faster disks or dedicated CPUs.',
  },
  {
    ...common,
    id: 'etcd-space',
    title: 'the database of etcd is full',
    signs: [
      etcd(
        /database space exceeded|alarm:? ?"?:?"?NOSPACE|etcdserver: no space/,
        'etcd api/v3rpc/rpctypes/error.go, ErrGRPCNoSpace; server/etcdserver/server.go',
        1,
      ),
    ],
    cause:
      'etcd accepts no writes any more. Some program creates objects without end, such as events or images.',
    fix: 'Delete these objects, then run `etcdctl compact`, `etcdctl defrag` and `etcdctl alarm disarm` in the etcd pod.',
  },
  {
    ...common,
    id: 'etcd-clock',
    title: 'the clocks of etcd members differ',
    signs: [
      etcd(
        /prober found high clock drift|the clock difference against peer \S+ is too high/,
        'etcd server/etcdserver/api/rafthttp/probing_status.go, monitorProbingStatus',
        3,
      ),
    ],
    cause: 'The clock was set while etcd ran, or no NTP server is reachable.',
    fix: 'Set the clock to UTC in the firmware, and ntpSources in sno-config.yaml to reachable servers.',
  },
];
