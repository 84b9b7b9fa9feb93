import type { CodeTable } from './entry.js';

/** Problems of `enrich`, which builds the Ignition config of the installed node. */
export const enrichCodes = {
  'enrich/asset-dir': {
    severity: 'error',
    rule: '`--asset-dir` is the root of a live system, or a folder with `openshift/`, `kubernetes/` and `bin/`',
    why: 'What the installed node starts from is found there by the names of `bootstrap-in-place/node-files.list`.',
    fix: 'Name the folder that holds `opt/openshift/`, `etc/kubernetes/` and `usr/local/bin/` of the live system, or the three of them as `openshift/`, `kubernetes/` and `bin/`.',
  },
  'enrich/list': {
    severity: 'error',
    rule: '`node-files.list` and `master-update.fcc` are of the form that this version reads',
    why: 'A line that is not understood would leave a file out that the node cannot start without.',
    fix: 'Take both from the live system that the same version of sno-install made.',
  },
  'enrich/missing-file': {
    severity: 'error',
    rule: 'every file of `node-files.list` can be read below `--asset-dir`, but for those marked with `?`',
    why: 'The control plane of the installed node would not start.',
    fix: 'Let the bootstrap reach its stage master-ignition, or copy the file from the live system.',
  },
  'enrich/input': {
    severity: 'error',
    rule: '`--input` is the whole config of the master as the machine-config server gives it, of Ignition 3.0.0 to 3.2.0, and keeps to that spec',
    why: 'It is laid at the first boot from the disk, when nobody is there any more to give a better one.',
    fix: 'Fetch it again: `curl --fail --header "Accept: application/vnd.coreos.ignition+json;version=3.2.0" http://localhost:22624/config/master` in the live system.',
  },
  'enrich/unknown-field': {
    severity: 'warning',
    rule: '`--input` has no field that its Ignition spec does not know',
    why: 'Ignition leaves out such a field, without a word on the node. A machine-config server gives none, so the input was changed on its way.',
    fix: 'Take the field out, or fetch the input again.',
  },
  'enrich/conflict': {
    severity: 'error',
    rule: 'no path and no unit stands both in the input and in what the bootstrap carries, but for /etc/hostname, where the input wins',
    why: 'Ignition lets the merged config win, so that the node would start with something else than the bootstrap made.',
    fix: 'Leave the path or unit out of the MachineConfig that brings it.',
  },
  'enrich/snapshot': {
    severity: 'error',
    rule: 'the snapshot of etcd is the one that `snapshot.json` describes, and the description is complete',
    why: 'The node restores etcd from it, under the name and address that stand there, and refuses another one.',
    fix: 'Take the snapshot, its description and the host name from the same run of the bootstrap.',
  },
  'enrich/too-large': {
    severity: 'error',
    rule: 'the config of the node takes less than 160 MiB',
    why: '`coreos-installer` writes it into the boot partition, of 384 MiB, after the image: a config that finds no room there leaves a disk that does not boot.',
    fix: 'Leave the log bundle out (`openshift/log-bundle-bootstrap.tar.gz`), or make extra manifests smaller: they are in the snapshot of etcd.',
  },
  'enrich/large': {
    severity: 'warning',
    rule: 'the config of the node takes less than three quarters of what the boot partition has room for',
    why: 'A later release with a bigger kernel or initramfs leaves less room.',
    fix: 'Leave the log bundle out, or make extra manifests smaller.',
  },
  'enrich/output': {
    severity: 'error',
    rule: '`--output` is a place of its own: neither the input nor one of the files that are carried',
    why: 'Writing it would destroy what it is made from.',
    fix: 'Name another file.',
  },
} as const satisfies CodeTable;
