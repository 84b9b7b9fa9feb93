import type { CodeTable } from './entry.js';

/** Problems of boot images. */
export const mediaCodes = {
  'media/not-an-iso': {
    severity: 'error',
    fault: 'the file in `--iso` is not an ISO 9660 image',
    why: 'sno-install cannot embed an Ignition config in other files.',
    fix: 'Name the live ISO of CoreOS as it was downloaded. Unpack it first if its name ends in `.gz` or `.xz`.',
  },
  'media/damaged': {
    severity: 'error',
    fault:
      'an image is damaged: it ends early, or it has no boot loader, kernel, initramfs or root file system',
    why: 'A machine would not boot from it, or would ignore the config.',
    fix: 'Download the image again with `sno-install media download`, which compares its SHA-256 with the published one.',
  },
  'media/no-embed-area': {
    severity: 'error',
    fault: 'the image has no area for an Ignition config',
    why: 'Only live images of CoreOS have this area.',
    fix: 'Use the live ISO of the release; `sno-install media download` gets it.',
  },
  'media/unknown-packing': {
    severity: 'error',
    fault: 'the area for the Ignition config contains unknown data (not cpio, gzip or xz)',
    why: 'The existing data, for example network files, would be lost.',
    fix: 'Use the image as it was downloaded, or overwrite the data with `--force`.',
  },
  'media/config-present': {
    severity: 'error',
    fault: 'the image already contains an Ignition config',
    why: 'The existing config, perhaps that of another machine, would be lost.',
    fix: 'Use the image as it was downloaded, or overwrite the existing config with `--force`.',
  },
  'media/too-large': {
    severity: 'error',
    fault: 'the config and the network files do not fit into their area of the image',
    why: 'They cannot be embedded in the image.',
    fix: 'Make extra manifests smaller, set `certificates.keyAlgorithm: ECDSA-P256` in sno-config.yaml, or boot over PXE.',
  },
  'media/no-kernel-arguments': {
    severity: 'error',
    fault: 'the image has no area for kernel arguments',
    why: 'The arguments would be lost.',
    fix: 'Use an image from 2021-10 or later, or for s390x from 2023-07 or later.',
  },
  'media/kernel-arguments': {
    severity: 'error',
    fault:
      'a kernel argument is not an ASCII word or names a console that coreos-installer does not support, or the arguments do not fit in the image',
    why: 'The boot loader would cut off or misread them.',
    fix: 'Repeat the option for each argument, and remove arguments that you do not need.',
  },
  'media/no-minimal': {
    severity: 'error',
    fault: 'the image has no data for a minimal image (`coreos/miniso.dat`)',
    why: 'The data is written when the full image is built; it cannot be derived from the image later.',
    fix: 'Use the live ISO of the release as it was downloaded. If it has no such data, as on s390x, use `create single-node-pxe`, or omit `--minimal`.',
  },
  'media/pxe-source': {
    severity: 'error',
    fault:
      'the URL of a network boot file is not http or https, does not end in a file name, or contains a login or query',
    why: 'Boot loaders do not support other URLs. All users of the node can read the kernel arguments, so they must not contain a login.',
    fix: 'Set `--rootfs` to the URL of the root file system. Set `--kernel` and `--initrd` too if their names cannot be derived from it.',
  },
  'media/architecture': {
    severity: 'error',
    fault: 'the image is for another architecture than install-config.yaml',
    why: 'The machine would not boot, or would install programs that it cannot run.',
    fix: 'Use the live ISO for `controlPlane.architecture`, or correct that field.',
  },
  'media/release': {
    severity: 'error',
    fault:
      'the image belongs to another release than the configs, or is neither RHEL CoreOS nor CentOS Stream CoreOS',
    why: 'The bootstrap runs with the programs of the live system, which belong to another release.',
    fix: 'Use the live ISO of the release; `sno-install media download` gets it. `--force` accepts the image.',
  },
  'media/no-rootfs': {
    severity: 'error',
    fault:
      'a minimal live ISO names no URL of its root file system, or a live ISO searches it on another volume',
    why: 'The live system would stop in its initramfs: it does not find its root file system on the image and cannot download it.',
    fix: 'Use the live ISO as downloaded; `--minimal --rootfs URL` makes it minimal. Or add `--live-karg coreos.live.rootfs_url=URL`.',
  },
  'media/output': {
    severity: 'error',
    fault: 'the image to write already exists',
    why: 'The existing image, perhaps that of another machine, would be lost.',
    fix: 'Name another file with `--out` or `--rootfs-out`, or move the existing file away. To write into the base image itself, use `--in-place`.',
  },
  'media/stream': {
    severity: 'error',
    fault: 'a file or image contains no stream metadata of CoreOS, or an entry of it is incomplete',
    why: 'The metadata names the URL and the SHA-256 of the live image. Without them the download could not be verified.',
    fix: 'Write the file with `openshift-install coreos print-stream-json` of the release, or with `oc -n openshift-machine-config-operator get configmap coreos-bootimages -o json` from a cluster of it.',
    example:
      '$ openshift-install coreos print-stream-json > stream.json\n$ sno-install media download --stream stream.json',
  },
  'media/no-image': {
    severity: 'error',
    fault: 'the stream metadata has no live image for the architecture, format or OS stream',
    why: 'This image is not published.',
    fix: 'Select another one with `--arch`, `--format` or `--os-stream`; the hint lists what exists.',
  },
  'media/release-metadata': {
    severity: 'error',
    fault: 'the stream metadata cannot be read from the release image',
    why: 'The release image names the live image of the release.',
    fix: 'Check the release and the access to its registry, or get the metadata on another machine and name it with `--stream`.',
    example:
      '$ openshift-install coreos print-stream-json > stream.json\n$ sno-install media download --stream stream.json',
  },
  'media/config-unused': {
    severity: 'warning',
    fault: 'install-config.yaml has errors, so the download does not use it',
    why: 'Its pull secret, proxy, certificate authorities, architecture and release are ignored.',
    fix: 'Correct the file as `sno-install validate` says, and run the command again if the download needs these values.',
  },
  'media/download': {
    severity: 'error',
    fault: 'a live image could not be downloaded',
    why: 'Nothing is written under its name. Bytes received so far are kept for the next run.',
    fix: 'Run the command again: it continues the download. Without internet, download the printed URL on another machine, check it with `sha256sum`, and give it to `create iso --iso`.',
  },
  'media/checksum': {
    severity: 'error',
    fault: 'a downloaded live image does not have the published SHA-256',
    why: 'The file is damaged or not the published one, so it is removed.',
    fix: 'Run the command again. If the fault stays, a proxy or a mirror changes the file, or the metadata is of another build.',
  },
  'media/serve-outdated': {
    severity: 'warning',
    fault: 'a medium is outdated, or its certificates have expired',
    why: 'An expired medium stops the installation, and an outdated one installs an earlier configuration.',
    fix: 'Create the site again; `fleet status` shows the reason. Without `--refuse-outdated`, outdated media are served.',
  },
  'media/serve-sites': {
    severity: 'error',
    fault: 'the folder to serve contains no outputs of a site, or two sites have the same folder name',
    why: 'The server identifies a site by the name of its folder.',
    fix: 'Name the folder that contains `bootstrap-in-place-for-live-iso.ign`, or its parent folder.',
  },
  'media/serve-unmade': {
    severity: 'warning',
    fault: 'a site to serve has no outputs',
    why: 'Until they exist, requests for this site are answered like a wrong URL.',
    fix: 'Run `sno-install create …` or `sno-install fleet create`. A running server finds the outputs without a restart.',
  },
  'media/serve-state': {
    severity: 'error',
    fault: 'the token file is not in the format of `serve`',
    why: 'The file contains the tokens in the distributed URLs. With new tokens these URLs would not work.',
    fix: 'Restore the file from a backup. Or name another file with `--tokens`; the server then generates new tokens and a new authority.',
  },
  'media/serve-address': {
    severity: 'error',
    fault:
      '`--listen` is not a free address and port of this machine, or `--url` is not a URL for the machines',
    why: 'The server cannot start, or the printed URLs do not work.',
    fix: 'Write the address of this machine, and the URL under which the other machines reach it.',
    example:
      '$ sno-install serve --iso LIVE.iso --listen 192.0.2.1:8443 --url https://boot.example.com:8443 out',
  },
  'media/serve-tls': {
    severity: 'error',
    fault: '`--tls-cert` and `--tls-key` are not a PEM certificate and its private key',
    why: 'The server needs both for TLS.',
    fix: 'Name both files. In the first, write the certificate of the server and then the intermediate certificates.',
  },
  'media/serve-fault': {
    severity: 'error',
    fault: 'the server could not send a file completely',
    why: 'A machine lost its connection, or got an error for a correct request.',
    fix: 'Restart the server if the ISO was replaced while it ran, and check the disk. Please report other causes.',
  },
  'media/serve-plain': {
    severity: 'warning',
    fault: 'images are served without TLS',
    why: 'An image contains the keys of a cluster, and plain HTTP can be read on the network.',
    fix: 'Remove `--http`. If a BMC does not support TLS, use an isolated network.',
  },
} as const satisfies CodeTable;
