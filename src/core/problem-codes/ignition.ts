import type { CodeTable } from './entry.js';

/** Problems of the generated Ignition configs, and of `enrich`, which builds the one of the installed node. */
export const ignitionCodes = {
  'ignition/conflict': {
    severity: 'error',
    fault: 'a path, unit, user or key occurs twice in an Ignition config',
    why: 'Ignition rejects such a config, and the node stops in its initramfs.',
    fix: 'Rename or remove one of the two. Your manifests are stored at /opt/openshift/manifests or /opt/openshift/openshift under their file names.',
  },
  'ignition/invalid': {
    severity: 'error',
    fault: 'an Ignition config does not conform to its specification',
    why: 'Ignition rejects the config, or the node gets a file or unit that does not work or exposes a secret.',
    fix: 'Change the file in the message. If it is not one of your files, please report a bug.',
  },
  'ignition/too-large': {
    severity: 'error',
    fault: 'the compressed config is larger than the 256 KiB that a live ISO reserves for it',
    why: '`coreos-installer iso ignition embed` refuses the config.',
    fix: 'Remove or shrink extra manifests, use a smaller `certificates.keyAlgorithm` such as ECDSA-P256 in sno-config.yaml, or boot over PXE (`coreos-installer pxe ignition wrap`), which has no limit. You can also embed a small config that merges this one from a URL.',
  },
  'enrich/asset-dir': {
    severity: 'error',
    fault:
      '`--asset-dir` is not the root of a live system or a folder with `openshift/`, `kubernetes/` and `bin/`',
    why: 'The command reads the files in `bootstrap-in-place/node-files.list` from this folder.',
    fix: 'Name the folder that contains `opt/openshift/`, `etc/kubernetes/` and `usr/local/bin/` of the live system, or copies of these three folders named `openshift/`, `kubernetes/` and `bin/`.',
  },
  'enrich/list': {
    severity: 'error',
    fault: '`node-files.list` or `master-update.fcc` has a format that this version cannot read',
    why: 'If a line were skipped, the node could miss a file that it needs to start.',
    fix: 'Copy both files from the live system that the same version of sno-install created.',
  },
  'enrich/missing-file': {
    severity: 'error',
    fault: 'a required file of `node-files.list` cannot be read below `--asset-dir`',
    why: 'The control plane of the installed node would not start. Only files marked with `?` are optional.',
    fix: 'Wait until the bootstrap reaches the stage master-ignition, or copy the file from the live system.',
  },
  'enrich/input': {
    severity: 'error',
    fault:
      '`--input` is not the complete master config of the machine config server in a valid Ignition spec from 3.0.0 to 3.2.0',
    why: 'The node applies this config at its first boot from the disk.',
    fix: 'Fetch it again in the live system.',
    example:
      '$ curl --fail --header "Accept: application/vnd.coreos.ignition+json;version=3.2.0" http://localhost:22624/config/master',
  },
  'enrich/unknown-field': {
    severity: 'warning',
    fault: '`--input` has a field that its Ignition spec does not define',
    why: 'Ignition silently ignores such a field. The machine config server does not write such fields, so the file was changed after the download.',
    fix: 'Remove the field, or fetch the config again.',
  },
  'enrich/conflict': {
    severity: 'error',
    fault: 'the input has a path or unit that the bootstrap also writes',
    why: 'The merged config would replace the input, and the node would start with other files than the bootstrap created. Only /etc/hostname may be in both; the input takes precedence there.',
    fix: 'Remove the path or unit from the MachineConfig that adds it.',
  },
  'enrich/snapshot': {
    severity: 'error',
    fault: 'the etcd snapshot does not match `snapshot.json`, or `snapshot.json` is incomplete',
    why: 'The node restores etcd from the snapshot with the name and address in `snapshot.json`, and rejects another snapshot.',
    fix: 'Use the snapshot, its description and the host name of the same bootstrap run.',
  },
  'enrich/too-large': {
    severity: 'error',
    fault: 'the config of the node is 160 MiB or larger',
    why: '`coreos-installer` writes the config to the boot partition, which has 384 MiB. If it does not fit, the disk does not boot.',
    fix: 'Remove the log bundle (`openshift/log-bundle-bootstrap.tar.gz`), or make extra manifests smaller: the etcd snapshot contains them.',
  },
  'enrich/large': {
    severity: 'warning',
    fault: 'the config of the node uses more than three quarters of the space in the boot partition',
    why: 'A later release with a bigger kernel or initramfs leaves less space.',
    fix: 'Remove the log bundle, or make extra manifests smaller.',
  },
  'enrich/output': {
    severity: 'error',
    fault: '`--output` is an input file',
    why: 'The output would overwrite it.',
    fix: 'Name another file.',
  },
} as const satisfies CodeTable;
