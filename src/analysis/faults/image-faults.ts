import type { Fault } from './fault.js';
import { createAgain, pullsAgain, tryOnNode } from './next-steps.js';
import { pullFails } from './pull-signs.js';

/** The part of a pull that reads layers. */
const ofBlob =
  '(?:[Pp]arsing image configuration|[Rr]eading (?:config )?blob|[Ff]etching blob|[Ww]riting blob)';

/** Faults of the image in the registry. */
export const imageFaults: readonly Fault[] = [
  {
    id: 'registry-rate-limit',
    title: 'the registry limits the number of pulls',
    stages: 'any',
    signs: pullFails(
      /toomanyrequests|[Tt]oo [Mm]any [Rr]equests|pull rate limit|(?:StatusCode:|HTTP status:|registry) 429\b/,
    ),
    cause: 'Too many pulls come from this address or account.',
    fix: `Wait: ${pullsAgain} To raise the limit, add a login for this registry to pullSecret, or a mirror to imageDigestSources of install-config.yaml. ${createAgain}`,
  },
  {
    id: 'image-blob-refused',
    title: 'the layers of the image are refused',
    stages: 'any',
    signs: pullFails(
      /fetching blob: (?:invalid status code from registry|StatusCode:) 403\b|fetching blob: .*unexpected HTTP status: 403\b/,
    ),
    cause:
      'The registry answers, but the host that stores the layers refuses: registries such as quay.io redirect to a content delivery network, which a proxy or firewall blocks.',
    fix: `Allow the hosts of the content delivery network on proxy and firewall (for quay.io: cdn.quay.io and cdn01.quay.io to cdn06.quay.io), or use a mirror. ${tryOnNode} ${pullsAgain}`,
  },
  {
    id: 'image-blob-host-unreachable',
    title: 'the host that stores the layers of the image cannot be reached',
    stages: 'any',
    // A path other than /v2/ is that of a host to which the registry redirects.
    signs: pullFails(new RegExp(`${ofBlob}.*Get \\\\*"?https?://[^/"\\s]+/(?!v2/)[^"\\s]*"?: (?!.*x509: )`)),
    cause:
      'The registry answers, but it redirects to the host in the line, for example a content delivery network, which does not resolve or which a firewall blocks.',
    fix: `Allow the host on proxy, firewall and DNS (for quay.io: cdn.quay.io and cdn01.quay.io to cdn06.quay.io), or use a mirror. ${tryOnNode} ${pullsAgain}`,
  },
  {
    id: 'image-not-authorised',
    title: 'the registry refuses the pull secret',
    stages: 'any',
    signs: pullFails(
      /unauthorized|authentication required|access to the (?:requested )?resource|(?<!permission )\bdenied\b|no basic auth|(?:StatusCode:|HTTP status:|registry) 40[13]\b/,
    ),
    cause: 'The pull secret has no entry for this registry, or the entry has expired.',
    fix: `Save pullSecret as FILE: \`skopeo inspect --authfile FILE docker://IMAGE\` fails in the same way, and \`podman login --authfile FILE REGISTRY\` corrects it. Copy FILE to pullSecret of install-config.yaml. ${createAgain}`,
  },
  {
    id: 'image-architecture-missing',
    title: 'the image does not exist for the architecture of this machine',
    stages: 'any',
    signs: pullFails(/no image found in (?:manifest list|image index) for architecture/),
    cause:
      'The image has several architectures, but not the one of this machine, or the mirror does not have it.',
    fix: `\`skopeo inspect --raw docker://IMAGE\` lists the architectures. Mirror the release for this one, or set releaseImage in sno-config.yaml to an image (…-multi) that contains it. ${createAgain}`,
  },
  {
    id: 'image-blob-missing',
    title: 'the registry has the image, but not all of its layers',
    stages: 'any',
    signs: pullFails(/blob unknown|fetching blob: .*(?:StatusCode:|HTTP status:|registry) 404\b/),
    cause: 'The image was mirrored incompletely, or the registry removed layers.',
    fix: `Mirror the image again until \`skopeo copy docker://IMAGE dir:FOLDER\` succeeds on another machine. ${pullsAgain}`,
  },
  {
    id: 'image-not-found',
    title: 'the image does not exist in the registry',
    stages: 'any',
    signs: pullFails(
      /manifest unknown|name unknown|repository name not known|manifest tagged by .* is not found|(?:artifact|repository|project) \S+ not found|(?:StatusCode:|HTTP status:|registry) 404\b/,
    ),
    cause: 'The release image is misspelled or not mirrored.',
    fix: `\`skopeo list-tags docker://REPOSITORY\` lists the mirror, and \`sno-install images\` the needed images. If one is missing, mirror it: ${pullsAgain} If releaseImage in sno-config.yaml is wrong, correct it. ${createAgain}`,
  },
  {
    id: 'image-reference-invalid',
    title: 'the pull spec of the image is not valid',
    stages: 'any',
    signs: pullFails(/invalid reference format|invalid checksum digest|unsupported digest algorithm/),
    cause: 'The pull spec in the line is no NAME:TAG or NAME@sha256:DIGEST.',
    fix: `Correct releaseImage in sno-config.yaml, or the image in the manifest that the line names. ${createAgain}`,
  },
  {
    id: 'registry-server-error',
    title: 'the registry or the proxy reports an internal error',
    stages: 'any',
    signs: pullFails(
      /(?:StatusCode:|HTTP status:|registry) 5\d\d\b|Get \\*"?https:[^"\s]*"?: (?:Bad Gateway|Service Unavailable|Gateway Time-?out|Internal Server Error)|: unknown: (?:internal server|unknown) error/,
    ),
    cause: 'The registry does not work, or the proxy cannot reach it.',
    fix: `Read the logs of the registry or the proxy, and restart it. ${tryOnNode} ${pullsAgain}`,
  },
  {
    id: 'registry-blocked',
    title: 'the registry is blocked in registries.conf',
    stages: 'any',
    signs: pullFails(/registry \S+ is blocked in /),
    cause:
      'The image may only come from a mirror (sourcePolicy: NeverContactSource, or blockedRegistries of the Image object), and no mirror has the image.',
    fix: `Mirror the image: ${pullsAgain} Or add its repository to imageDigestSources of install-config.yaml, or allow the source. ${createAgain}`,
  },
  {
    id: 'image-data-damaged',
    title: 'the data of the image is not what its digest says',
    stages: 'any',
    signs: pullFails(
      /[Dd]igest did not match|digest mismatch|[Mm]anifest does not match provided manifest digest|invalid tar header|gzip: invalid (?:header|checksum)|flate: corrupt input/,
    ),
    cause:
      'The storage of the registry is damaged, a proxy or cache in between changes the data, or the memory of the machine is faulty.',
    fix: 'Pull the image on another machine with `skopeo copy docker://IMAGE dir:FOLDER`. If that fails too, mirror the image again or bypass the cache (proxy.noProxy); otherwise test the memory.',
  },
  {
    id: 'image-storage-damaged',
    title: 'the image storage of the machine is damaged',
    stages: 'any',
    signs: pullFails(
      /layer not known|image not known|locating item named|read-only file system|input\/output error/i,
    ),
    cause:
      'A pull was interrupted, or the file system below /var/lib/containers returns errors or switched to read-only.',
    fix: 'Boot the machine again from the live ISO, which starts with empty storage. If the line comes back, run `sudo dmesg --level err` and `sudo smartctl --all /dev/DISK`, and check the memory.',
  },
];
