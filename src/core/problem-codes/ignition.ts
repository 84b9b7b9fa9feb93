import type { CodeTable } from './entry.js';

/** Problems of the generated Ignition configs. */
export const ignitionCodes = {
  'ignition/conflict': {
    severity: 'error',
    fault: 'an Ignition config contains a path, unit, user or key twice',
    why: 'Ignition rejects such a config, and the node would stop in its initramfs.',
    fix: 'Rename or remove one of the two. Your manifests are stored at /opt/openshift/manifests or /opt/openshift/openshift under their file names.',
  },
  'ignition/invalid': {
    severity: 'error',
    fault: 'an Ignition config does not conform to its specification',
    why: 'Ignition rejects the config, or the node gets a file or unit that does not work or exposes a secret.',
    fix: 'Change your file that the message names. If it names none of your files, please report it.',
  },
  'ignition/too-large': {
    severity: 'error',
    fault: 'the compressed config is larger than the 256 KiB that a live ISO reserves for it',
    why: '`coreos-installer iso ignition embed` refuses the config.',
    fix: 'Remove or shrink extra manifests, use a smaller `certificates.keyAlgorithm` such as ECDSA-P256 in sno-config.yaml, or boot over PXE (`coreos-installer pxe ignition wrap`), which has no limit. You can also embed a small config that merges this one from a URL.',
  },
} as const satisfies CodeTable;
