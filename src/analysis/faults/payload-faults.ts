import type { Fault } from './fault.js';

const script = 'release-image.sh';

/** Faults of the release image and of the images it lists. */
export const payloadFaults: readonly Fault[] = [
  {
    id: 'architecture-mismatch',
    title: 'release image, install-config.yaml and machine have different architectures',
    stages: ['image-metadata-arches-match'],
    signs: [
      {
        script: 'release-image-download.sh',
        says: 'The release image * is for *, but this machine is *.',
      },
      {
        script: 'release-image-download.sh',
        says: 'install-config.yaml says controlPlane.architecture: *, but this machine is *.',
      },
    ],
    cause: 'The release image is for another architecture. Retrying does not help.',
    fix: 'Set controlPlane.architecture and a release image for this machine, or use a multi-architecture release image (…-multi).',
  },
  {
    id: 'release-payload-incomplete',
    title: 'the release image is not a complete release payload',
    stages: 'any',
    signs: [
      { script, says: 'cannot read * of the release payload *' },
      { script: 'bootkube-control-plane.sh', says: 'cannot copy the manifests of the release payload *' },
      { script, says: 'the release payload lists no image *' },
      { script, says: 'the release payload has no version' },
      {
        program: 'a tool of the payload',
        says: /Unknown name requested, could not find \S+ in UpdatePayload/,
        source: 'openshift/cluster-version-operator pkg/payload/image.go, ImageForShortName',
      },
    ],
    cause: 'releaseImage is not a release image, or was built or mirrored incompletely.',
    fix: 'Check it with `oc adm release info IMAGE`.',
  },
  {
    id: 'operating-system-image',
    title: "the node's operating system image cannot be pulled",
    stages: ['node-image-pull'],
    signs: [{ script: 'node-image-pull.sh', waitsFor: 'the operating system image * to be pulled' }],
    cause:
      'The operating system image (rhel-coreos, for OKD stream-coreos) is missing in the mirror, or memory is short.',
    fix: 'Read bootstrap/journals/node-image-pull.log; mirror the whole release; use a machine with 32 GiB.',
  },
  {
    id: 'not-a-live-system',
    title: 'the machine did not boot a CoreOS live system',
    stages: ['node-image-pull'],
    signs: [
      {
        script: 'node-image-pull.sh',
        says: 'this is not a live system: its operating system is not covered',
      },
    ],
    cause: 'The Ignition config was used on a machine that booted from a disk.',
    fix: 'Embed it into the live ISO of the release and boot the ISO.',
  },
  {
    id: 'release-image-absent',
    title: 'the release image is missing',
    stages: ['wait-for-machine', 'wait-for-release-image'],
    signs: [
      { script: 'bootkube.sh', waitsFor: 'the release payload (see: journalctl --unit release-image)' },
      {
        script: 'node-image-pull.sh',
        waitsFor: 'the release payload (see: journalctl --unit release-image)',
      },
    ],
    cause: 'release-image.service does not succeed.',
    fix: 'Read bootstrap/journals/release-image.log.',
    isGeneral: true,
  },
];
