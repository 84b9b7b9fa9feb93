import type { Fault } from './fault.js';

const restore = 'sno-etcd-restore.sh';

/** Faults while restoring etcd on the installed node. */
export const restoreFaults: readonly Fault[] = [
  {
    id: 'snapshot-truncated',
    title: 'the snapshot of etcd cannot be unpacked',
    stages: ['etcd-restore'],
    signs: [{ script: 'sno-etcd.sh', says: 'the snapshot of etcd cannot be unpacked' }],
    cause: 'It is truncated: the disk returns errors, or was full at the first boot.',
    fix: 'Check the disk; then install again from the live ISO. Only this installation is lost.',
  },
  {
    id: 'snapshot-wrong-hash',
    title: 'the checksum of the etcd snapshot does not match',
    stages: ['etcd-restore'],
    signs: [
      {
        script: 'sno-etcd.sh',
        says: 'the SHA-256 of the snapshot of etcd is not *, which the bootstrap recorded',
      },
    ],
    cause: 'The disk or memory is faulty, or the file was replaced.',
    fix: 'Check disk and memory; then install again from the live ISO. Only this installation is lost.',
  },
  {
    id: 'etcd-restore-failed',
    title: 'etcd cannot be restored from its snapshot',
    stages: ['etcd-restore'],
    signs: [
      { script: 'sno-etcd.sh', says: 'the etcd image * has neither etcdutl nor etcdctl' },
      { script: restore, says: 'the etcd image has no tool to restore with' },
      { script: restore, says: 'the restore of the snapshot failed' },
    ],
    cause: 'See the etcdutl lines before for the reason.',
    fix: 'Read bootstrap/journals/sno-etcd-restore.log; the unit retries every 30 seconds.',
  },
  {
    id: 'snapshot-undescribed',
    title: 'the snapshot of etcd is damaged',
    stages: ['etcd-restore'],
    signs: [{ script: restore, says: 'the snapshot of etcd is damaged' }],
    cause: 'Its description, /opt/openshift/etcd-snapshot/snapshot.json, is empty or incomplete.',
    fix: 'Check the disk; then install again from the live ISO. Only this installation is lost.',
    isGeneral: true,
  },
  {
    id: 'etcd-data-not-empty',
    title: "etcd's data folder was not empty, so the snapshot was not restored",
    stages: ['api', 'node-ready'],
    signs: [
      {
        script: restore,
        says: '* has a member already: it is left as it is',
        unit: 'sno-etcd-restore',
      },
    ],
    cause:
      'The disk kept /var of an earlier installation, and etcd started with that data instead of the snapshot. If the restore was only interrupted at its end, the line is harmless.',
    fix: 'Compare the dates in /var/lib/etcd/member. If it is old, stop the kubelet, move the directory away and restart sno-etcd-restore, or install again without keeping partitions.',
    isNormalAtFirst: true,
  },
];
