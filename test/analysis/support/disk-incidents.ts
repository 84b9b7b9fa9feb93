import { bootstrapImages, idleDisk, clusterUuid, masterConfig } from '../../shell/disk/machine-files.js';
import { liveMachine, type Machine } from '../../shell/disk/machine.js';
import { keepJournal, runUnit, says, siteOf, type Incident, type Site } from './incident.js';

const home = 'opt/openshift';

/** Runs bootstrap-in-place.sh, whose stages are in the record of bootkube. */
function moveRecords(
  change: (machine: Machine) => void,
  variables: Readonly<Record<string, string>> = {},
): () => Site {
  return () => {
    const machine = liveMachine({ stubbedScripts: [] });
    change(machine);
    const site = siteOf(machine);
    runUnit(site, 'bootkube', 'bootstrap-in-place.sh', { args: bootstrapImages, variables });
    return site;
  };
}

/** Runs install-to-disk.sh on a machine in the state that bootkube leaves. */
function write(
  change: (machine: Machine) => void,
  variables: Readonly<Record<string, string>> = {},
): () => Site {
  return () => {
    const machine = liveMachine({ stubbedScripts: [], variables });
    for (const [path, value] of Object.entries(handedOver))
      machine.write(`${home}/${path}`, JSON.stringify(value));
    machine.write(`${home}/.bootkube.done`, '');
    change(machine);
    const site = siteOf(machine);
    runUnit(site, 'install-to-disk', 'install-to-disk.sh');
    return site;
  };
}

/** Errors of coreos-installer 0.24 and the fault that each shows. */
const installerErrors: readonly (readonly [fault: string, lines: string])[] = [
  ['disk-busy', "Error: couldn't reread partition table: device is in use"],
  [
    'disk-table-damaged',
    'Error: saving partitions from /dev/sda\nCaused by:\n    0: reading partition table\n    1: corrupted partition entry array CRC32 checksum (1 != 2)',
  ],
  ['disk-sector-size', 'Error: source has sector size 512 but destination has sector size 4096'],
  ['disk-partitions-unseen', "Error: couldn't find any partitions on /dev/sda\nResetting partition table"],
  ['disk-vanished', 'Error: opening /dev/sda\nCaused by:\n    No such device or address (os error 6)'],
  [
    'disk-input-output-error',
    'Error: saving partitions from /dev/sda\nCaused by:\n    0: reading partition table\n    1: Input/output error (os error 5)\nError: decoding and writing image\nCaused by:\n    Input/output error (os error 5)\nResetting partition table',
  ],
  [
    'disk-refuses-writing',
    'Error: clearing first MiB of disk\nCaused by:\n    Operation not permitted (os error 1)',
  ],
  [
    'disk-smaller-than-image',
    'Error: decoding and writing image\nCaused by:\n    No space left on device (os error 28)',
  ],
  ['installer-image-unusable', 'Error: cannot perform offline install; metadata missing'],
];

const storage = { directories: [], files: [{ path: '/a', mode: 384 }] };
const systemd = { units: [{ name: 'bootkube.service' }] };
const handedOver = {
  'original-master.ign': masterConfig,
  'bootstrap-in-place/master-update.complete.fcc': { variant: 'fcos', storage, systemd },
  'master.ign': {
    ignition: { version: '3.1.0', config: { merge: [{ source: 'data:,x' }] } },
    storage,
    systemd,
  },
  'etcd-snapshot/snapshot.json': {
    clusterID: clusterUuid,
    node: { hostname: 'sno1', address: '192.168.126.10' },
  },
};

function disk(change: object): () => Site {
  return write((machine) => {
    machine.answer('lsblk.json', JSON.stringify({ blockdevices: [{ ...idleDisk, ...change }] }));
  });
}

function hinted(hints: object, listing?: string): () => Site {
  const blockdevices = ['sda', 'sdb'].map((name) => ({
    ...idleDisk,
    name: `/dev/${name}`,
    kname: `/dev/${name}`,
  }));
  return write(
    (machine) => {
      machine.answer('disks.json', listing ?? JSON.stringify({ blockdevices }));
    },
    { SNO_INSTALLATION_DISK: '', SNO_ROOT_DEVICE_HINTS: JSON.stringify(hints) },
  );
}

function keeping(partitiontable: object): () => Site {
  return write(
    (machine) => {
      machine.answer('sfdisk', JSON.stringify({ partitiontable }));
    },
    { SNO_COREOS_INSTALLER: '{"savePartitionLabels":["data*"]}' },
  );
}

function answers(change: object): () => Site {
  return moveRecords((machine) => {
    machine.answer('curl', JSON.stringify({ ...masterConfig, ...change }));
  });
}

const fetching = 'fetch-master-ignition of bootkube';
const building = 'master-ignition of bootkube';
const snapshot = 'etcd-snapshot of bootkube';
const checks = 'preflight of install-to-disk';
const part = { ...idleDisk, name: '/dev/sda1', type: 'part' };

/** Faults between the etcd snapshot and the reboot. */
export const diskIncidents: readonly Incident[] = [
  {
    name: 'the machine-config server answers 500',
    happen: moveRecords((machine) => {
      machine.fail('curl', 'always');
    }),
    at: fetching,
    faults: ['mcs-http-error'],
    isGathered: true,
  },
  {
    name: 'a machine-config server that does not answer',
    happen: () => {
      const site = siteOf(liveMachine());
      says(site, 'curl', 'curl: (7) Failed to connect to localhost port 22624: Connection refused');
      runUnit(site, 'bootkube', 'bootstrap-in-place.sh', { args: bootstrapImages });
      return site;
    },
    at: fetching,
    faults: ['mcs-unreachable'],
  },
  {
    name: 'the machine-config server answers HTML',
    happen: moveRecords((machine) => {
      machine.answer('curl', '<html><body>503 Service Unavailable</body></html>');
    }),
    at: fetching,
    faults: ['mcs-not-ignition'],
  },
  {
    name: 'the machine-config server answers nothing',
    happen: moveRecords((machine) => {
      machine.answer('curl', '');
    }),
    at: fetching,
    faults: ['mcs-not-ignition'],
  },
  {
    name: 'the machine-config server answers in an older spec',
    happen: answers({ ignition: { version: '2.2.0' } }),
    at: fetching,
    faults: ['mcs-spec-version'],
  },
  {
    name: 'the machine-config server has not finished',
    happen: answers({ systemd: { units: [] } }),
    at: fetching,
    faults: ['mcs-unfinished'],
  },
  {
    name: 'an API server that does not stop',
    happen: moveRecords((machine) => {
      machine.fail('crictl', 'always');
    }),
    at: snapshot,
    faults: ['api-does-not-stop'],
  },
  {
    name: 'an etcd with two members',
    happen: moveRecords((machine) => {
      const members = ['a', 'b'].map((name) => ({ name, peerURLs: ['https://192.168.126.10:2380'] }));
      machine.answer('etcd-member-list', JSON.stringify({ members }));
    }),
    at: snapshot,
    faults: ['etcd-members'],
  },
  {
    name: 'an etcd under another address than nodeIP',
    happen: () => {
      const machine = liveMachine({ stubbedScripts: [], nodeIP: '192.168.126.11' });
      const site = siteOf(machine);
      runUnit(site, 'bootkube', 'bootstrap-in-place.sh', { args: bootstrapImages });
      return site;
    },
    at: snapshot,
    faults: ['etcd-address'],
  },
  {
    name: 'a snapshot that is older than etcd was',
    happen: moveRecords((machine) => {
      machine.answer('etcd-snapshot-status', '{"hash":1,"revision":4700,"totalKey":812,"totalSize":19}');
    }),
    at: snapshot,
    faults: ['snapshot-unusable'],
  },
  {
    name: 'an etcd that does not stop',
    happen: moveRecords((machine) => {
      machine.answer('crictl-ps', JSON.stringify({ containers: [{ id: '1', metadata: { name: 'etcd' } }] }));
    }),
    at: 'stop-etcd of bootkube',
    faults: ['etcd-does-not-stop'],
  },
  {
    name: 'a file of the list that is missing',
    happen: moveRecords((machine) => {
      machine.write(`${home}/bootstrap-in-place/node-files.list`, 'keep 0600 openshift/nothing /nothing\n');
    }),
    at: building,
    faults: ['node-ignition-unusable'],
  },
  {
    name: 'a MachineConfig that writes the same file',
    happen: answers({
      storage: {
        files: [{ path: '/etc/kubernetes/manifests/etcd-pod.yaml', contents: { source: 'data:,' } }],
      },
    }),
    at: building,
    faults: ['machine-config-conflict'],
  },
  {
    name: 'an Ignition config that is too large',
    happen: moveRecords(() => undefined, { SNO_MASTER_IGNITION_LIMIT_MIB: '0' }),
    at: building,
    faults: ['node-ignition-too-large'],
  },
  {
    name: 'logs that cannot be gathered',
    happen: () => {
      const machine = liveMachine();
      machine.fail('installer-gather.sh', 'always');
      const site = siteOf(machine);
      runUnit(site, 'bootkube', 'bootstrap-in-place.sh', { args: bootstrapImages });
      return site;
    },
    verdict: 'in-progress',
    at: '',
    faults: [],
    notes: ['log-bundle-left-behind'],
  },
  {
    name: 'everything went well',
    happen: () => {
      const machine = liveMachine({ stubbedScripts: [] });
      const site = siteOf(machine);
      runUnit(site, 'bootkube', 'bootstrap-in-place.sh', { args: bootstrapImages });
      machine.write(`${home}/.bootkube.done`, '');
      runUnit(site, 'install-to-disk', 'install-to-disk.sh');
      return site;
    },
    verdict: 'complete',
    at: '',
    faults: [],
  },
  {
    name: 'a bootkube that takes six hours',
    happen: () => {
      const site = siteOf(liveMachine());
      runUnit(site, 'install-to-disk', 'install-to-disk.sh');
      return site;
    },
    at: 'wait-for-bootkube of install-to-disk',
    faults: ['bootstrap-too-long'],
  },
  {
    name: 'a disk that is missing',
    happen: write(() => undefined, { SNO_INSTALLATION_DISK: '/dev/disk/by-id/other' }),
    at: checks,
    faults: ['disk-missing'],
  },
  {
    name: 'a disk that is no path',
    happen: write(() => undefined, { SNO_INSTALLATION_DISK: 'sda' }),
    at: checks,
    faults: ['disk-path'],
  },
  {
    name: 'hints of another machine',
    happen: hinted({ serialNumber: 'S2' }),
    at: checks,
    faults: ['root-device-none'],
  },
  {
    name: 'hints of two disks',
    happen: hinted({ minSizeGigabytes: 100 }),
    at: checks,
    faults: ['root-device-several'],
  },
  {
    name: 'disks that cannot be listed',
    happen: hinted({ serialNumber: 'S1' }, 'x'),
    at: checks,
    faults: ['disks-unlisted'],
  },
  {
    name: 'a link that leads to another disk',
    happen: write((machine) => {
      machine.write(
        'run/sno-install/installation-disk.json',
        JSON.stringify({ name: '/dev/sdb', size: '1', serial: 'S2' }),
      );
    }),
    at: checks,
    faults: ['disk-changed'],
  },
  {
    name: 'partitions to keep in a DOS table',
    happen: keeping({ label: 'dos', partitions: [{ node: '/dev/sda1', start: 2048 }] }),
    at: checks,
    faults: ['saved-partitions-unreadable'],
  },
  {
    name: 'a partition to keep in the place of the system',
    happen: keeping({ label: 'gpt', partitions: [{ node: '/dev/sda5', start: 2048, name: 'data' }] }),
    at: checks,
    faults: ['saved-partition-too-early'],
  },
  {
    name: 'a mistyped label',
    happen: keeping({
      label: 'gpt',
      partitions: ['boot', 'root', 'date'].map((name, index) => ({
        node: `/dev/sda${index + 3}`,
        start: 2048,
        name,
      })),
    }),
    at: checks,
    faults: ['saved-partitions-missing'],
  },
  { name: 'a partition', happen: disk({ type: 'part' }), at: checks, faults: ['disk-not-whole'] },
  { name: 'a read-only disk', happen: disk({ ro: true }), at: checks, faults: ['disk-read-only'] },
  { name: 'a small disk', happen: disk({ size: 20_000_000_000 }), at: checks, faults: ['disk-too-small'] },
  {
    name: 'a disk in use',
    happen: disk({ children: [{ ...part, mountpoint: '/var/data' }] }),
    at: checks,
    faults: ['disk-busy'],
  },
  {
    name: 'a disk that holds this very cluster',
    happen: disk({ ptuuid: clusterUuid }),
    at: checks,
    faults: ['disk-holds-this-cluster'],
  },
  {
    name: 'the live medium as disk, no api-int',
    happen: write((machine) => {
      machine.answer('lsblk.json', JSON.stringify({ blockdevices: [{ ...idleDisk, children: [part] }] }));
      machine.answer('findmnt', '/dev/sda1\n');
      machine.answer('getent-api-int.sno.example.com', '');
    }),
    at: checks,
    faults: ['api-int-missing', 'disk-is-live-medium'],
  },
  {
    name: 'another host name than at the snapshot',
    happen: write((machine) => {
      machine.answer('hostname', 'sno2\n');
    }),
    at: checks,
    faults: ['identity-changed-before-reboot'],
  },
  {
    name: 'a disk that returns errors',
    happen: write((machine) => {
      machine.fail('coreos-installer', 'always');
    }),
    at: 'coreos-installer of install-to-disk',
    faults: ['disk-write-failed'],
  },
  ...installerErrors.map(([fault, lines]) => ({
    name: `coreos-installer with ${fault}`,
    happen: () => {
      const site = write((machine) => {
        machine.fail('coreos-installer', 'always');
      })();
      keepJournal(site, 'install-to-disk', lines, 10);
      return site;
    },
    at: 'coreos-installer of install-to-disk',
    faults: [fault],
  })),
  {
    name: 'a disk that cannot be marked',
    happen: write((machine) => {
      machine.fail('sgdisk', 'always');
    }),
    at: 'mark-disk of install-to-disk',
    faults: ['disk-unmarked'],
  },
  {
    name: 'a DASD, and a reboot that does not come',
    happen: write(
      (machine) => {
        machine.write('dev/dasda', '');
        machine.answer('lsblk.json', JSON.stringify({ blockdevices: [{ ...idleDisk, name: '/dev/dasda' }] }));
        machine.fail('shutdown', 'always');
      },
      { SNO_INSTALLATION_DISK: '/dev/dasda' },
    ),
    at: 'reboot of install-to-disk',
    faults: [],
    notes: ['disk-cannot-be-marked'],
  },
];
