import type { CodeTable } from './entry.js';

/** Problems of payloads: files with all images of a release. */
export const payloadCodes = {
  'payload/manifest': {
    severity: 'error',
    fault: 'the manifest of a payload (`NAME.payload.json`) is missing, damaged or of another format',
    why: 'It names the release and its images; without it the config cannot be created.',
    fix: 'Copy the file that `sno-install create payload` wrote beside the payload.',
  },
  'config/payload-release': {
    severity: 'error',
    fault: 'the payload is of another release or architecture than the configs',
    why: 'The node installs the release that the payload contains, and has no other source for images.',
    fix: 'Remove `releaseImage`, `releaseVersion` and `imageReferences`: without them those of the payload are used. Or use a payload of the release and architecture that the configs name.',
  },
  'config/payload-registry': {
    severity: 'error',
    fault: 'the registry of the payload cannot serve this site',
    why: 'The docker-registry image of releases before 4.21 contains no `/usr/bin/distribution`, an image that is not of the release is not validated for FIPS, and the node generates the credentials of the registry.',
    fix: 'Follow the hint: make the payload with `registryImage` in payload.yaml, use a payload without it for FIPS, or remove the credentials for port 22625 from the pull secret.',
  },
  'config/payload-images': {
    severity: 'error',
    fault: 'images of manifests/, post-install/ or an all-in-one control plane are not in the payload',
    why: 'A site with a payload pulls from it alone, so pods with these images would not start.',
    fix: 'Add the images to `additionalImages` in payload.yaml and make the payload again, or remove them from the manifests.',
  },
  'config/payload-mirror': {
    severity: 'error',
    fault: 'the configs or manifests have other mirrors for images of the payload',
    why: 'Two mirrors of one source contradict each other, and the payload contains all images of its sources that the site needs.',
    fix: 'Remove the entry. Mirrors of sources without images in the payload can stay.',
  },
  'config/payload-internet': {
    severity: 'warning',
    fault: 'the site installs from a payload, and a component of the cluster contacts the internet',
    why: 'Without a route, the pods of the default catalogs never start, and the Insights operator reports `UploadDegraded` after five failed uploads.',
    fix: 'Save the OperatorHub of the example in manifests/, or leave out the capability `marketplace`; remove `cloud.openshift.com` from the pull secret. For a site with a route, keep the entry, and write `disableAllDefaultSources: false`.',
    example: [
      'apiVersion: config.openshift.io/v1',
      'kind: OperatorHub',
      'metadata: {name: cluster}',
      'spec: {disableAllDefaultSources: true}',
    ].join('\n'),
  },
  'config/payload-keep': {
    severity: 'error',
    fault: '`payload.keep` is `false`',
    why: 'The node pulls images again: the kubelet removes unused images when the disk is full, CRI-O all of them when its version changes, and some images are pulled only when they are needed. The mirror sets forbid other sources, and from 4.22 on the InternalReleaseImage of the running release cannot be deleted.',
    fix: 'Remove `keep`. After an upgrade from a registry, the partition `sno-payload` can be removed by hand.',
    example: [
      'payload: {file: ../4.22.0-x86_64.payload, keep: false}  # wrong',
      'payload: {file: ../4.22.0-x86_64.payload}               # right',
    ].join('\n'),
  },
  'aio/payload': {
    severity: 'error',
    fault: 'sno-config.yaml has a payload, and the target is an all-in-one machine with Fedora CoreOS',
    why: 'Ignition downloads kubelet and network plugins there, before a payload can be read, and the payload contains the images of OpenShift.',
    fix: 'Use the distribution OpenShift on RHCOS, or remove `payload` and use a mirror: `aio.mirror` for files, `controlPlane.images` for images.',
  },
  'payload/not-a-payload': {
    severity: 'error',
    fault: 'a file is no payload',
    why: 'The node would not find images in it.',
    fix: 'Name a file that `sno-install create payload` wrote.',
  },
  'payload/damaged': {
    severity: 'error',
    fault: 'a payload is damaged: it ends early, or its contents do not have their hashes',
    why: 'The node would stop before it writes the disk, or an image could not be pulled.',
    fix: 'Copy the payload again, or create it again.',
  },
  'payload/missing-signature': {
    severity: 'error',
    fault: 'images of a payload have no sigstore signature, which the release requires',
    why: 'From 4.21 on, CRI-O runs the release image only with a signature, from 4.22 on all images of the release (ClusterImagePolicy `openshift`). It reads the signature from the same repository of the payload, as the tag `sha256-DIGEST.sig`.',
    fix: 'Create the payload from the registries, or mirror the signatures too: `oc-mirror` 4.21 or later copies them. The tag is the name of the signature in an OCI layout, and the name of the folder of a `dir:` copy.',
  },
  'payload/config': {
    severity: 'error',
    fault: 'payload.yaml has an invalid value',
    why: 'An image would be missing on the node.',
    fix: 'Correct the value.',
    example: [
      'apiVersion: sno-install/v1alpha1',
      'kind: PayloadConfig',
      'additionalImages:',
      '  - name: registry.redhat.io/redhat/redhat-operator-index:v4.22',
    ].join('\n'),
  },
  'payload/default-release': {
    severity: 'warning',
    fault: '`create payload` copies the default release, because the site names no other',
    why: 'A payload has about 20 GB, and the site may be meant for another release.',
    fix: 'Set `releaseImage` and `releaseVersion` in sno-config.yaml before the creation. Without them, the release of an existing payload is taken from the manifest at `payload.file`.',
  },
  'payload/no-registry-image': {
    severity: 'error',
    fault: 'no image is known that can serve the payload on the node',
    why: 'The docker-registry image of releases before 4.21 contains no `/usr/bin/distribution`.',
    fix: 'Set `registryImage` in payload.yaml to a registry image by digest, for example one of the distribution registry.',
  },
  'payload/release': {
    severity: 'error',
    fault: 'the release image is of another kind, version or architecture than the configuration says',
    why: 'The node would not start, or would install another release.',
    fix: 'Correct `releaseImage` in sno-config.yaml, or `controlPlane.architecture` in install-config.yaml.',
  },
  'payload/missing-image': {
    severity: 'error',
    fault: 'images of the payload are not in the sources that `--from` names, or in their registries',
    why: 'The node could not pull them.',
    fix: 'Mirror the missing images too, add another `--from`, or correct the pull specs.',
  },
  'payload/pull': {
    severity: 'error',
    fault: 'an image cannot be copied from its registry',
    why: 'The payload would be incomplete.',
    fix: 'Repair the cause and run the command again. It continues the copy.',
  },
  'payload/source': {
    severity: 'error',
    fault: '`--from` names nothing that contains images',
    why: 'The payload would be empty.',
    fix: 'Name a folder or archive of oc-mirror, an OCI layout, or `dir:` folders of skopeo.',
  },
  'payload/other': {
    severity: 'error',
    fault:
      '`--payload` or the file beside the manifest is not the payload of the site, or the live ISO already has one',
    why: 'The node would stop before it writes the disk, because it accepts only the payload that its config names.',
    fix: 'Set `payload.file` in sno-config.yaml to this payload, or name the one of the site. Copy a payload and its manifest together. Use the live ISO as it was downloaded.',
  },
  'payload/not-on-medium': {
    severity: 'warning',
    fault:
      'the site installs from a payload, and its ISO does not contain it; or `serve` has a payload for a site without one',
    why: 'The node finds the payload on a disk or USB stick with a partition named `sno-payload`, and stops without it.',
    fix: 'Copy the payload to `payload.file`, or add `--payload FILE`. Or attach such a disk, which `sno-install payload write` writes; with `--no-payload`, `create iso` and `fleet create --iso` do not warn.',
  },
  'payload/large-medium': {
    severity: 'warning',
    fault: 'an ISO with a payload is larger than 4 GiB',
    why: 'Some BMCs do not attach images above 4 GiB or copy them into their memory first, and FAT32 cannot hold such a file.',
    fix: 'Try one machine first. Otherwise put the payload on a USB stick or a second disk, and create the ISO with `--no-payload`.',
  },
  'payload/program': {
    severity: 'error',
    fault: '`mksquashfs` is missing or fails',
    why: 'It writes the file system of the payload.',
    fix: 'Install the package squashfs-tools.',
  },
  'payload/target': {
    severity: 'error',
    fault: 'the target of `payload write` cannot hold the payload',
    why: 'A payload needs a disk, a partition named sno-payload, or a disk image, with enough space.',
    fix: 'Follow the hint. `lsblk` lists the disks; disks can be written on Linux only.',
  },
  'payload/in-use': {
    severity: 'error',
    fault:
      'the target of `payload write` is in use: mounted, swap space, or part of a volume, a RAID or a loop device',
    why: 'It would lose its contents, and programs that use it could damage the payload.',
    fix: 'Name another disk, or end the use as the hint says. `--force` only unmounts file systems, and never those that the machine runs from.',
  },
  'payload/not-removable': {
    severity: 'error',
    fault: 'the target of `payload write` is no removable disk',
    why: 'It may be a disk of this machine, whose contents would be lost.',
    fix: 'Check the name with `lsblk`. Use `--force` if it is the right disk.',
  },
  'payload/not-written': {
    severity: 'error',
    fault: 'a payload could not be written to its disk, or was read back differently',
    why: 'The node would find no payload.',
    fix: 'Repair the cause and run the command again.',
  },
} as const satisfies CodeTable;
