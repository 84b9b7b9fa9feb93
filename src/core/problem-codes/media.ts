import type { CodeTable } from './entry.js';

/** Problems of boot images. */
export const mediaCodes = {
  'media/not-an-iso': {
    severity: 'error',
    fault: '`--iso` is an ISO 9660 image',
    why: 'Nothing can be put into any other file.',
    fix: 'Name the live ISO of CoreOS as it was downloaded, unpacked where it came as `.gz` or `.xz`.',
  },
  'media/damaged': {
    severity: 'error',
    fault: 'the parts of an image that are read are what they must be',
    why: 'A machine would not boot from it, or not with this config.',
    fix: 'Download the image again and compare its checksum with the published one.',
  },
  'media/no-embed-area': {
    severity: 'error',
    fault: 'the image keeps room for an Ignition config',
    why: 'Only live images of CoreOS do; the config would have nowhere to go.',
    fix: 'Take the live ISO of the release: `openshift-install coreos print-stream-json` names it.',
  },
  'media/unknown-packing': {
    severity: 'error',
    fault:
      'what an image already holds in the room for the Ignition config is packed by gzip or xz, or not at all',
    why: 'What is there, network files for instance, would be lost.',
    fix: 'Take the image as it was downloaded, or write over what it holds with `--force`.',
  },
  'media/config-present': {
    severity: 'error',
    fault: 'the image holds no Ignition config yet',
    why: 'Somebody made it for another machine, and its config would be gone.',
    fix: 'Take the image as it was downloaded, or write over the config with `--force`.',
  },
  'media/too-large': {
    severity: 'error',
    fault: 'config and network files fit into the room that the image keeps',
    why: 'There is no more room on the image.',
    fix: 'Make extra manifests smaller, set `certificates.keyAlgorithm: ECDSA-P256` in sno-config.yaml, or boot over PXE.',
  },
  'media/no-kernel-arguments': {
    severity: 'error',
    fault: 'the image keeps room for kernel arguments where any are given',
    why: 'They would be left out.',
    fix: 'Take an image of 2021-10 or later; those of s390x have it since 2023-07.',
  },
  'media/kernel-arguments': {
    severity: 'error',
    fault:
      'kernel arguments are words of ASCII that fit into the room that the image keeps, and consoles are such as coreos-installer knows',
    why: 'The boot loader would cut them off or read them otherwise.',
    fix: 'Give the option once for each argument, and leave out what is not needed.',
  },
  'media/no-minimal': {
    severity: 'error',
    fault: 'an image that a minimal one is to be made of has the data for it (`coreos/miniso.dat`)',
    why: 'A minimal image is laid out when the full one is made; it cannot be guessed from it.',
    fix: 'Take the live ISO of the release as it was downloaded; where it has none, as on s390x, use `create single-node-pxe`, or leave `--minimal` out.',
  },
  'media/pxe-source': {
    severity: 'error',
    fault:
      'what a machine loads over the network has a URL of http or https, without login and query, that names a file',
    why: 'Boot loaders read other URLs otherwise or not at all, and what the kernel is told everybody on the node can read.',
    fix: 'Give `--rootfs` the URL of the root file system, and `--kernel` and `--initrd` where their names do not follow from it.',
  },
  'media/architecture': {
    severity: 'error',
    fault: 'the image boots on machines of the architecture of the install-config',
    why: 'The machine would not boot, or install nothing that runs.',
    fix: 'Take the live ISO of `controlPlane.architecture`, or correct that field.',
  },
  'media/release': {
    severity: 'warning',
    fault: 'the image is of the release that is installed',
    why: 'The live system runs the bootstrap with the programs of its own release.',
    fix: 'Take the live ISO of the release: `openshift-install coreos print-stream-json` names it.',
  },
  'media/output': {
    severity: 'error',
    fault:
      'an image is written to a file that is not there yet, or over itself with `--in-place`; so is the root file system beside a minimal one, unless it is there already, and an image that only lacks its receipt',
    why: 'An image of another machine would be gone.',
    fix: 'Name another file with `--out` or `--rootfs-out`, or delete the one that is there.',
  },
  'media/serve-sites': {
    severity: 'error',
    fault:
      'what is served is a folder with the outputs of a site, or one of such folders, and each has a name of its own',
    why: 'A site is told from others by the name of its folder, and one that is missing would be found out at its machine.',
    fix: 'Name the folder that holds `bootstrap-in-place-for-live-iso.ign`, or the one above it.',
  },
  'media/serve-unmade': {
    severity: 'warning',
    fault: 'every site that is served has its outputs',
    why: 'Its machine gets the answer that a wrong URL gets, until they are there.',
    fix: 'Make them with `sno-install create …` or `sno-install fleet create`; a server that runs needs no restart.',
  },
  'media/serve-state': {
    severity: 'error',
    fault: 'the file of tokens is one that `serve` wrote',
    why: 'With another one, no URL that was given out would lead anywhere.',
    fix: 'Take the file from a backup, or name another with `--tokens`: it has other tokens and another authority.',
  },
  'media/serve-address': {
    severity: 'error',
    fault:
      '`--listen` is an address and port of this machine that is free, and `--url` is what machines reach it by',
    why: 'Nobody would be answered, or URLs would lead elsewhere.',
    fix: 'Write `--listen 192.0.2.1:8443`, and `--url https://boot.example.com:8443`.',
  },
  'media/serve-tls': {
    severity: 'error',
    fault: '`--tls-cert` and `--tls-key` are a certificate and its private key, as PEM',
    why: 'No client would be able to connect.',
    fix: 'Name both; the first is the certificate with those between it and the root behind it.',
  },
  'media/serve-fault': {
    severity: 'error',
    fault: 'what is there can be given out to its end',
    why: 'A machine was cut off, or got the answer of what is not there, for no fault of its own.',
    fix: 'Start the server again where the ISO was replaced under it, and look at the disk; report anything else.',
  },
  'media/serve-plain': {
    severity: 'warning',
    fault: 'media are served over TLS',
    why: 'A medium holds the keys of a cluster, and by plain HTTP everybody on the way can read it.',
    fix: 'Leave `--http` out; where a controller knows no TLS, use a network that nobody else is on.',
  },
} as const satisfies CodeTable;
