import type { CodeTable } from './entry.js';

/** Problems of the generated Ignition configs. */
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
} as const satisfies CodeTable;
