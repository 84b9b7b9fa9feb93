import type { CodeTable } from './entry.js';

/** Problems of the generated Ignition configs. */
export const ignitionCodes = {
  'ignition/conflict': {
    severity: 'error',
    rule: 'every path, unit, user and key stands in an Ignition config once',
    why: 'Ignition refuses a config in which two entries claim one place, and the node would stop in its initramfs.',
    fix: 'Rename or leave out one of the two. A manifest of yours is put at /opt/openshift/manifests or /opt/openshift/openshift under its file name.',
  },
  'ignition/invalid': {
    severity: 'error',
    rule: 'an Ignition config keeps to its specification',
    why: 'Ignition refuses the config, or the node gets a file or unit that does not work or shows a secret.',
    fix: 'Change the file of yours that the message names. If it names none of yours, please report it.',
  },
  'ignition/too-large': {
    severity: 'error',
    rule: 'the config, compressed, fits into the 256 KiB that a live ISO keeps free for it',
    why: '`coreos-installer iso ignition embed` refuses a larger one.',
    fix: 'Leave out extra manifests or make them smaller, take a smaller `certificates.keyAlgorithm` such as ECDSA-P256 in sno-config.yaml, or boot over PXE (`coreos-installer pxe ignition wrap`), where there is no limit. Large files can also be fetched at boot: embed a small config that merges this one from a URL.',
  },
} as const satisfies CodeTable;
