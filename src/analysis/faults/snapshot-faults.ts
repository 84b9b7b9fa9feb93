import { releases } from '../../release/releases.js';
import type { Fault } from './fault.js';
import type { Sign } from './signs.js';

const mcs = (because: string | RegExp): Sign => ({
  script: 'sno-master-ignition.sh',
  says: 'the machine-config server gives no usable config for the master: *',
  because,
});

/** Faults between bootstrap and writing the disk: etcd's snapshot and the Ignition config of the node. */
export const snapshotFaults: readonly Fault[] = [
  {
    id: 'etcd-members',
    title: 'etcd does not have exactly one member',
    stages: ['etcd-snapshot'],
    signs: [
      {
        script: 'bootstrap-in-place.sh',
        says: 'etcd does not have exactly one member with a name and one peer URL',
      },
    ],
    cause: 'Another machine joined, or a member of an earlier attempt is still listed.',
    fix: 'Boot the machine again from the live ISO; make sure that no second machine runs with this Ignition config.',
  },
  {
    id: 'etcd-address',
    title: 'the address of etcd differs from nodeIP',
    stages: ['etcd-snapshot'],
    signs: [{ script: 'bootstrap-in-place.sh', says: 'etcd runs as *, but the configuration says *' }],
    cause:
      'The machine has several addresses in machineNetwork, or its address differs from nodeIP in sno-config.yaml.',
    fix: "Set nodeIP to the machine's address, or use a smaller machineNetwork.",
  },
  {
    id: 'snapshot-unusable',
    title: 'the etcd snapshot is not valid',
    stages: ['etcd-snapshot'],
    signs: [
      { script: 'bootstrap-in-place.sh', says: 'the snapshot of etcd is empty or older than revision *: *' },
      { script: 'bootstrap-in-place.sh', says: 'the snapshot of etcd cannot be compressed' },
      { script: 'sno-etcd.sh', says: 'the compressed snapshot of etcd does not decompress to the snapshot' },
      { script: 'sno-etcd.sh', says: 'the etcd image * has neither etcdutl nor etcdctl' },
    ],
    cause: 'Memory is full or faulty, or etcd is empty.',
    fix: 'Look at bootstrap/memory.txt and bootstrap/file-systems.txt; the stage is retried automatically.',
  },
  {
    id: 'mcs-http-error',
    title: 'the machine-config server answers with an HTTP error',
    stages: ['fetch-master-ignition'],
    // curl(1), exit code 22: "HTTP page not retrieved"
    signs: [mcs(/curl: \(22\)/)],
    cause:
      'It cannot render the master config: a MachineConfig is not valid or needs more than Ignition 3.2.',
    fix: "Read machine-config-server's and machine-config-controller's logs in bootstrap/containers; correct the MachineConfig that they name.",
  },
  {
    id: 'mcs-unreachable',
    title: 'the machine-config server does not answer',
    stages: ['fetch-master-ignition'],
    signs: [mcs(/curl: \(\d+\)/)],
    cause:
      'Its static pod does not start, usually because machine-config-controller stopped at an invalid MachineConfig.',
    fix: "Read machine-config-controller's log in bootstrap/containers, and bootstrap/containers/containers.txt.",
  },
  {
    id: 'mcs-not-ignition',
    title: 'the answer of the machine-config server is not an Ignition config',
    stages: ['fetch-master-ignition'],
    signs: [mcs('the answer is empty'), mcs('the answer is not an Ignition config')],
    cause: 'Another program listens on port 22624, for example a proxy or a load balancer.',
    fix: 'On the node: `curl -v http://localhost:22624/config/master`, `sudo ss -ltnp`.',
  },
  {
    id: 'mcs-spec-version',
    title: 'the machine-config server answers with another Ignition version',
    stages: ['fetch-master-ignition'],
    signs: [mcs('the answer is an Ignition config of version *, but 3.2.0 was asked for')],
    cause: 'The release is older than 4.8, or a program in between drops the Accept header.',
    fix: `Use one of the releases ${releases.offeredText}.`,
  },
  {
    id: 'mcs-unfinished',
    title: "the machine-config server's config is empty",
    stages: ['fetch-master-ignition'],
    signs: [mcs('the answer has no files or no units: the machine-config operator may not have finished')],
    cause: 'machine-config-controller has not rendered the master pool.',
    fix: "Read machine-config-controller's log in bootstrap/containers.",
  },
  {
    id: 'machine-config-conflict',
    title: 'a MachineConfig conflicts with a file or unit of the installation',
    stages: ['master-ignition', 'preflight'],
    signs: [
      {
        script: 'sno-master-ignition.sh',
        says: "the node's Ignition config cannot be used: *",
        because: 'the config of the master writes the same paths',
      },
      {
        script: 'sno-master-ignition.sh',
        says: "the node's Ignition config cannot be used: *",
        because: 'the config of the master has units of the same name',
      },
    ],
    cause: 'A file or unit of a MachineConfig has the same path or name as one that the installation needs.',
    fix: 'Compare the MachineConfigs in rendered-assets with docs/boot-flow.md and rename the file or unit in the MachineConfig.',
  },
  {
    id: 'node-ignition-too-large',
    title: "the node's Ignition config does not fit the boot partition",
    stages: ['master-ignition', 'preflight'],
    signs: [
      {
        script: 'sno-master-ignition.sh',
        says: "the node's Ignition config takes * MiB; the boot partition has room for * MiB",
      },
    ],
    cause: 'Large files in MachineConfigs, or very many objects in etcd.',
    fix: 'Reduce them. SNO_MASTER_IGNITION_LIMIT_MIB in /opt/openshift/sno-install.env changes the limit.',
  },
  {
    id: 'node-ignition-unusable',
    title: "the node's Ignition config is not as expected",
    stages: ['master-ignition', 'preflight'],
    signs: [
      { script: 'sno-master-ignition.sh', says: "the node's Ignition config cannot be used: *" },
      {
        script: 'sno-master-ignition.sh',
        says: '* is missing, which the installed node needs as *',
      },
      { script: 'sno-master-ignition.sh', says: 'a file that the installed node starts from is missing' },
    ],
    cause:
      'An earlier stage did not create a file, or cluster-bootstrap of this release converts the config differently.',
    fix: 'Remove /opt/openshift/master-ignition.done and the .done file of the stage that creates the file; both stages then run again.',
    isGeneral: true,
  },
  {
    id: 'log-bundle-left-behind',
    title: 'the bootstrap logs are not copied to the disk',
    stages: 'any',
    signs: [
      {
        script: 'bootstrap-in-place.sh',
        says: 'gathering the logs of the bootstrap failed; none are copied to the disk',
      },
      {
        script: 'bootstrap-in-place.sh',
        says: 'the logs of the bootstrap take more than * MiB; none are copied to the disk',
      },
    ],
    cause: 'Creating the bundle took more than ten minutes, or it is too large for the Ignition config.',
    fix: 'If you need the logs, gather them before the reboot.',
    weight: 'note',
  },
];
