import type { Fault } from './fault.js';
import type { Sign } from './signs.js';

const script = 'release-image.sh';

/**
 * A failed pull with a reason from podman or a registry, logged by our scripts or by podman itself.
 * Source of the texts: github.com/containers/image, Go net
 */
function pullFails(because: RegExp): readonly Sign[] {
  return [
    {
      program: 'podman',
      says: new RegExp(
        `(?:initializing source|pinging container registry|reading manifest|Failed to pull image) .*(?:${because.source})`,
      ),
      source:
        'github.com/containers/image copy/copy.go and docker/docker_client.go; Kubernetes pkg/kubelet/images',
    },
    { script, says: 'pulling * failed after * s of * s, next try in * s: *', because },
    { script, says: 'timed out after * s pulling *: *', because },
  ];
}

/** Faults of the release image and of the images it lists. */
export const payloadFaults: readonly Fault[] = [
  {
    id: 'image-not-authorised',
    title: 'the registry refuses the pull secret',
    stages: 'any',
    signs: pullFails(
      /unauthorized|authentication required|access to the requested resource|denied|no basic auth|403/,
    ),
    cause: 'The pull secret has no entry for this registry, or the entry has expired.',
    fix: "Add credentials for the image's registry to pullSecret and create a new Ignition config.",
  },
  {
    id: 'image-certificate',
    title: "the registry's certificate is not trusted",
    stages: 'any',
    signs: pullFails(/x509:|tls: failed to verify/),
    cause: 'The mirror or proxy uses a private CA, or the clock is wrong.',
    fix: 'Add the CA to additionalTrustBundle in install-config.yaml; compare the clock in bootstrap/time.txt.',
  },
  {
    id: 'image-not-found',
    title: 'the image does not exist in the registry',
    stages: 'any',
    signs: pullFails(/manifest unknown|name unknown|repository name not known|404/),
    cause: 'The release image is misspelled or not mirrored.',
    fix: 'Check the release image (`sno-install version`, releaseImage in sno-config.yaml) and the contents of the mirror.',
  },
  {
    id: 'registry-unreachable',
    title: 'the registry cannot be reached',
    stages: 'any',
    signs: pullFails(
      /no such host|server misbehaving|i\/o timeout|no route to host|connection refused|connection reset|network is unreachable|deadline exceeded|TLS handshake timeout|Client\.Timeout|EOF/,
    ),
    cause: 'No route, no DNS, a firewall, or a proxy that is not configured.',
    fix: 'On the node: `curl -I https://REGISTRY/v2/`. Then correct network, DNS or proxy, or set a mirror in imageDigestSources of install-config.yaml.',
  },
  {
    id: 'image-not-pulled',
    title: 'an image cannot be pulled',
    stages: 'any',
    signs: [...pullFails(/./), { script: 'sno-etcd-restore.sh', says: 'the etcd image cannot be pulled' }],
    cause: 'See the message after the colon for the reason.',
    fix: 'On the node: `sudo podman pull --authfile /root/.docker/config.json IMAGE`.',
    isGeneral: true,
  },
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
