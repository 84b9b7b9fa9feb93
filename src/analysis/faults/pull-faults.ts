import type { Fault } from './fault.js';
import type { Sign } from './signs.js';

const script = 'release-image.sh';

/** Words in the errors of a pull. */
const ofPull =
  /(?:initializing (?:image from )?source|pinging container registry|reading manifest|fetching blob|copying system image|writing blob|Source image rejected|Failed to pull image)/;

/**
 * A failed pull with a reason from podman or a registry, logged by our scripts or by podman itself.
 * Source of the texts: github.com/containers/image copy, docker and signature; Go crypto/x509 and net/http; podman 4.3.1 on loopback
 */
function pullFails(because: RegExp): readonly Sign[] {
  return [
    {
      program: 'podman',
      says: new RegExp(`^(?=.*${ofPull.source}).*(?:${because.source})`),
      source:
        'github.com/containers/image copy/copy.go and docker/docker_client.go; Kubernetes pkg/kubelet/images',
    },
    { script, says: 'pulling * failed after * s of * s, next try in * s: *', because },
    { script, says: 'timed out after * s pulling *: *', because },
  ];
}

/** Faults of a pull whose cause is in the certificate of the registry. Source of the texts: Go crypto/x509 verify.go */
const certificateFaults: readonly Fault[] = [
  {
    id: 'image-certificate-name',
    title: 'the certificate of the registry is for another name',
    stages: 'any',
    signs: pullFails(
      /x509: certificate is valid for |x509: certificate is not valid for any names|x509: cannot validate certificate for \S+ because it doesn't contain any IP SANs|x509: certificate relies on legacy Common Name field/,
    ),
    cause:
      'The certificate does not contain the name or address of the registry in the pull spec as a subject alternative name. additionalTrustBundle does not change that.',
    fix: 'Issue a certificate with this name, or use a name of the certificate: in imageDigestSources of install-config.yaml and releaseImage of sno-config.yaml.',
  },
  {
    id: 'image-certificate-expired',
    title: 'the certificate of the registry has expired',
    stages: 'any',
    signs: pullFails(/x509: certificate has expired or is not yet valid: current time \S+ is after /),
    cause: 'The certificate of the registry or of its CA has expired, or the clock of the machine is ahead.',
    fix: 'Compare the clock in bootstrap/time.txt with the dates in the line. Renew the certificate of the registry, or correct the clock: ntpSources in sno-config.yaml.',
  },
  {
    id: 'image-certificate-not-yet-valid',
    title: 'the certificate of the registry is not valid yet',
    stages: 'any',
    signs: pullFails(/x509: certificate has expired or is not yet valid: current time \S+ is before /),
    cause: 'The clock of the machine is behind, or the certificate was issued for a later time.',
    fix: 'Set the clock to UTC in the firmware, or set ntpSources in sno-config.yaml to reachable servers.',
  },
  {
    id: 'image-certificate',
    title: "the registry's certificate is not trusted",
    stages: 'any',
    signs: pullFails(/x509: certificate signed by unknown authority/),
    cause: 'The mirror or a proxy that inspects TLS uses a private CA.',
    fix: 'Add the CA to additionalTrustBundle in install-config.yaml.',
  },
  {
    id: 'image-certificate-unusable',
    title: 'the certificate of the registry cannot be used',
    stages: 'any',
    signs: pullFails(
      /x509: certificate (?:is not authorized to sign|specifies an incompatible key usage|has expired or is not yet valid(?!: current)|is not valid)|x509: (?:too many intermediates|unhandled critical extension|invalid signature|issuer name does not match|cannot verify signature|negative serial number)/,
    ),
    cause: 'The line has the reason: the certificate is no server certificate, or its chain is broken.',
    fix: 'Issue a server certificate for the registry, and let it send the whole chain.',
  },
];

/** Faults of the way to a registry. */
const proxyFaults: readonly Fault[] = [
  {
    id: 'proxy-login',
    title: 'the proxy requires a login',
    stages: 'any',
    signs: pullFails(
      /Proxy Authentication Required|proxy authentication required|authenticationrequired|(?:StatusCode:|HTTP status:|registry) 407\b/,
    ),
    cause: 'The proxy of install-config.yaml has no user and password, or wrong ones.',
    fix: 'Write them into proxy.httpProxy and proxy.httpsProxy of install-config.yaml: http://USER:PASSWORD@HOST:PORT, with special characters in percent encoding.',
  },
  {
    id: 'proxy-refuses-registry',
    title: 'the proxy refuses the registry',
    stages: 'any',
    signs: pullFails(/Get "https:[^"]*": Forbidden/),
    cause: 'The proxy does not allow connections to the host in the line.',
    fix: 'Allow the host on the proxy, add it to proxy.noProxy in install-config.yaml if it is reachable directly, or use a mirror.',
  },
  {
    id: 'proxy-unreachable',
    title: 'the proxy cannot be reached',
    stages: 'any',
    signs: pullFails(/proxyconnect tcp: /),
    cause: 'The name of the proxy does not resolve, or no connection to its port is possible.',
    fix: 'Correct proxy.httpsProxy in install-config.yaml; on the node: `curl -v -x PROXY https://REGISTRY/v2/`.',
  },
  {
    id: 'registry-speaks-http',
    title: 'the registry speaks HTTP, not HTTPS',
    stages: 'any',
    signs: pullFails(
      /server gave HTTP response to HTTPS client|tls: first record does not look like a TLS handshake/,
    ),
    cause: 'The port in the pull spec answers HTTP without TLS. The installation pulls only with HTTPS.',
    fix: 'Serve the registry with TLS and add its CA to additionalTrustBundle in install-config.yaml, or write its HTTPS port.',
  },
  {
    id: 'registry-web-page',
    title: 'a web page answers instead of the registry',
    stages: 'any',
    signs: pullFails(/invalid character '<' looking for beginning of value/),
    cause: 'The name leads to a web server, or to the login page of a proxy or guest network.',
    fix: 'On the node: `curl -i https://REGISTRY/v2/`. Correct the name or port of the registry, or log in to the network.',
  },
];

/** Faults whose cause is a policy for images. Source of the texts: github.com/containers/image signature and docker/docker_client.go */
const policyFaults: readonly Fault[] = [
  {
    id: 'image-signature-missing',
    title: 'the image must be signed, and the registry has no signature',
    stages: 'any',
    signs: pullFails(/A signature was required, but no signature exists/),
    cause:
      'A policy requires a signature for this image: the ClusterImagePolicy openshift of the release, or one of the manifests. The mirror has the image without its signature.',
    fix: 'Mirror the signature too: the tag sha256-DIGEST.sig of the same repository (oc-mirror v2 copies it).',
  },
  {
    id: 'image-signature-invalid',
    title: 'the signature of the image is not accepted',
    stages: 'any',
    signs: pullFails(
      /None of the signatures were accepted|Source image rejected: (?!Running image|Any signatures|A signature was required)/,
    ),
    cause: 'The image is signed by another key, or for another name than the policy accepts.',
    fix: 'Compare the key and signedIdentity of the ClusterImagePolicy or ImagePolicy with the signature; mirror the image and its signature again.',
  },
  {
    id: 'image-rejected-by-policy',
    title: 'a policy of the node rejects the image',
    stages: 'any',
    signs: pullFails(
      /Running image \S+ is rejected by policy|Any signatures for image \S+ are rejected by policy/,
    ),
    cause:
      'The registry is not among allowedRegistries, or among blockedRegistries, of the Image object in manifests/.',
    fix: 'Add the registry of the release and of the mirror to registrySources.allowedRegistries of the Image object.',
  },
];

/** Faults of the image in the registry. */
const imageFaults: readonly Fault[] = [
  {
    id: 'registry-rate-limit',
    title: 'the registry limits the number of pulls',
    stages: 'any',
    signs: pullFails(
      /toomanyrequests|too many requests to registry|pull rate limit|(?:StatusCode:|HTTP status:|registry) 429\b/,
    ),
    cause: 'Too many pulls come from this address or account.',
    fix: 'Wait, add a login for this registry to pullSecret, or use a mirror in imageDigestSources of install-config.yaml.',
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
    fix: 'Allow the hosts of the content delivery network on proxy and firewall (for quay.io: cdn.quay.io and cdn01.quay.io to cdn06.quay.io), or use a mirror.',
  },
  {
    id: 'image-not-authorised',
    title: 'the registry refuses the pull secret',
    stages: 'any',
    signs: pullFails(
      /unauthorized|authentication required|access to the (?:requested )?resource|(?<!permission )\bdenied\b|no basic auth|(?:StatusCode:|HTTP status:|registry) 40[13]\b/,
    ),
    cause: 'The pull secret has no entry for this registry, or the entry has expired.',
    fix: "Add credentials for the image's registry to pullSecret and create a new Ignition config.",
  },
  {
    id: 'image-architecture-missing',
    title: 'the image does not exist for the architecture of this machine',
    stages: 'any',
    signs: pullFails(/no image found in (?:manifest list|image index) for architecture/),
    cause: 'The image has several architectures, but not the one of this machine, or the mirror lacks it.',
    fix: 'Mirror the release for this architecture, or use a release image (…-multi) that contains it.',
  },
  {
    id: 'image-not-found',
    title: 'the image does not exist in the registry',
    stages: 'any',
    signs: pullFails(
      /manifest unknown|name unknown|repository name not known|(?:StatusCode:|HTTP status:|registry) 404\b/,
    ),
    cause: 'The release image is misspelled or not mirrored.',
    fix: 'Check the release image (`sno-install version`, releaseImage in sno-config.yaml) and the contents of the mirror.',
  },
  {
    id: 'registry-server-error',
    title: 'the registry or the proxy reports an error of its own',
    stages: 'any',
    signs: pullFails(
      /(?:StatusCode:|HTTP status:|registry) 5\d\d\b|Get "https:[^"]*": (?:Bad Gateway|Service Unavailable|Gateway Time-?out|Internal Server Error)/,
    ),
    cause: 'The registry does not work, or the proxy cannot reach it.',
    fix: 'Read the logs of the registry or the proxy. The installation tries again.',
  },
  {
    id: 'registry-blocked',
    title: 'the registry is blocked in registries.conf',
    stages: 'any',
    signs: pullFails(/registry \S+ is blocked in /),
    cause:
      'The image may only come from a mirror (sourcePolicy: NeverContactSource, or blockedRegistries of the Image object), and no mirror has the image.',
    fix: 'Mirror the image, add its repository to the source with the mirror in imageDigestSources of install-config.yaml, or allow the source.',
  },
];

/** Faults of pulls, most specific first: a line can contain the errors of several mirrors. */
export const pullFaults: readonly Fault[] = [
  ...policyFaults,
  ...certificateFaults,
  ...proxyFaults,
  ...imageFaults,
  {
    id: 'registry-unreachable',
    title: 'the registry cannot be reached',
    stages: 'any',
    signs: pullFails(
      /no such host|server misbehaving|i\/o timeout|no route to host|connection refused|connection reset|connection timed out|network is unreachable|deadline exceeded|TLS handshake timeout|Client\.Timeout|\bEOF\b/,
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
];
