import { describe, expect, test } from 'vitest';

import { faultsIn } from '../../src/analysis/recognise.js';

const image = `registry.site.example:5000/openshift/release-images@sha256:${'40340429503407'.padEnd(64, '7')}`;
const from = `initializing source docker://${image}: `;
const pinging = `${from}pinging container registry registry.site.example:5000: Get "https://registry.site.example:5000/v2/": `;
const reading = `${from}reading manifest 4.20 in registry.site.example:5000/openshift/release-images: `;

/** The faults that a pull with this error shows, in the journal of our script and in that of podman itself. */
function found(error: string): readonly string[] {
  const lines = [
    `pulling ${image} failed after 5 s of 3600 s, next try in 5 s: Error: ${error}`,
    `timed out after 3600 s pulling ${image}: Trying to pull ${image}...\nError: ${error}`,
    `Error: ${error}`,
  ];
  const ids = lines.map((line) => {
    const texts = line.split('\n').map((text) => ({ text }));
    return faultsIn({
      service: 'release-image',
      stage: 'pull-release-image',
      lines: texts,
      isRunning: false,
      journalOf: () => [],
    }).map(({ fault }) => fault.id);
  });
  return [...new Set(ids.map((each) => each.join('+')))];
}

/** Texts of podman 4.3.1 on loopback, and of the sources of containers/image and Go for those marked so. */
const errors: Readonly<Record<string, readonly string[]>> = {
  'image-certificate-name': [
    `${pinging}x509: certificate is valid for mirror.site.example, not registry.site.example`,
    `${pinging}tls: failed to verify certificate: x509: certificate is valid for mirror.site.example, not registry.site.example`,
    `${pinging}x509: cannot validate certificate for 192.0.2.7 because it doesn't contain any IP SANs`,
    `${pinging}x509: certificate relies on legacy Common Name field, use SANs instead`,
    // Go crypto/x509 verify.go, HostnameError
    `${pinging}x509: certificate is not valid for any names, but wanted to match registry.site.example`,
  ],
  'image-certificate-expired': [
    `${pinging}x509: certificate has expired or is not yet valid: current time 2026-11-27T19:49:43Z is after 2021-01-01T00:00:00Z`,
  ],
  'image-certificate-not-yet-valid': [
    `${pinging}x509: certificate has expired or is not yet valid: current time 2026-11-27T19:49:43Z is before 2030-01-01T00:00:00Z`,
  ],
  'image-certificate': [
    `${pinging}x509: certificate signed by unknown authority`,
    // Go crypto/x509 verify.go, UnknownAuthorityError
    `${pinging}tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate" while trying to verify candidate authority certificate "ca")`,
  ],
  'image-certificate-unusable': [
    // Go crypto/x509 verify.go, CertificateInvalidError
    `${pinging}tls: failed to verify certificate: x509: certificate specifies an incompatible key usage`,
    `${pinging}tls: failed to verify certificate: x509: certificate is not authorized to sign other certificates`,
  ],
  'proxy-login': [
    `${pinging}Proxy Authentication Required`,
    // containers/image docker/errors.go
    `${reading}StatusCode: 407, "<html>…"`,
  ],
  'proxy-refuses-registry': [`${pinging}Forbidden`],
  'proxy-unreachable': [
    // Go net/http transport.go
    `${pinging}proxyconnect tcp: dial tcp: lookup proxy.site.example on 192.0.2.53:53: no such host`,
  ],
  'registry-speaks-http': [
    `${pinging}http: server gave HTTP response to HTTPS client`,
    `${pinging}tls: first record does not look like a TLS handshake`,
  ],
  'registry-web-page': [
    `initializing image from source docker://${image}: invalid character '<' looking for beginning of value`,
  ],
  'image-signature-missing': [
    'Source image rejected: A signature was required, but no signature exists',
    'copying system image from manifest list: Source image rejected: A signature was required, but no signature exists',
    // containers/image signature/policy_eval_sigstore.go
    'Source image rejected: A signature was required, but no signature exists (1 non-sigstore signatures, 0 sigstore non-signature attachments)',
  ],
  'image-signature-invalid': [
    'Source image rejected: None of the signatures were accepted, reasons: Signature for identity "a" is not accepted; b',
    'Source image rejected: cryptographic signature verification failed: invalid signature',
  ],
  'image-rejected-by-policy': [
    `Source image rejected: Running image docker://${image} is rejected by policy.`,
  ],
  'registry-rate-limit': [
    // Docker Hub, and containers/image docker/errors.go
    `${reading}toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`,
    `${pinging}too many requests to registry`,
    `${reading}StatusCode: 429, "slow down"`,
  ],
  'image-blob-refused': [
    'parsing image configuration: Error fetching blob: invalid status code from registry 403 (Forbidden)',
    // containers/image docker/docker_client.go
    'parsing image configuration: fetching blob: StatusCode: 403, "<html>Blocked by proxy policy</html>"',
    'copying system image from manifest list: reading blob sha256:aaaa: fetching blob: StatusCode: 403, "Blocked"',
  ],
  'image-not-authorised': [
    `${reading}unauthorized`,
    `${reading}unauthorized: access to the requested resource is not authorized`,
    `${reading}denied: requested access to the resource is denied`,
    `${reading}denied`,
    `${from}unable to retrieve auth token: invalid username/password: unauthorized: Invalid Username or Password`,
    `${reading}StatusCode: 403, "Forbidden"`,
  ],
  'image-architecture-missing': [
    'choosing image instance: no image found in image index for architecture "arm64", variant "v8", OS "linux"',
    'copying system image from manifest list: choosing an image from manifest list docker://a: no image found in manifest list for architecture "arm64", variant "", OS "linux"',
  ],
  'image-not-found': [
    `${reading}manifest unknown`,
    `${reading}name unknown`,
    `${reading}StatusCode: 404, "<html>"`,
    // The mirror has no such image, and the source is blocked.
    `${from}(Mirrors also failed: [mirror.site.example/a: reading manifest 4.20 in mirror.site.example/a: manifest unknown]): ${image}: registry quay.site.example is blocked in /etc/containers/registries.conf or /etc/containers/registries.conf.d`,
  ],
  'registry-server-error': [
    `${reading}received unexpected HTTP status: 503 Service Unavailable`,
    `${reading}StatusCode: 502, "<html>"`,
    `${pinging}Service Unavailable`,
  ],
  'registry-blocked': [
    `${from}registry registry.site.example is blocked in /etc/containers/registries.conf or /etc/containers/registries.conf.d`,
  ],
  'registry-unreachable': [
    `${pinging}dial tcp: lookup registry.site.example on 192.0.2.53:53: no such host`,
    `${pinging}dial tcp 192.0.2.7:5000: connect: connection refused`,
    `${pinging}dial tcp 192.0.2.7:5000: connect: no route to host`,
    `${pinging}dial tcp 192.0.2.7:5000: i/o timeout`,
    `${pinging}net/http: TLS handshake timeout`,
    `${pinging}EOF`,
  ],
  'storage-full': [
    'writing blob: storing blob to file "/var/tmp/storage1/2": write /var/tmp/storage1/2: no space left on device',
  ],
  'memory-full': [
    'writing blob: adding layer with blob "sha256:aaaa": fork/exec /proc/self/exe: cannot allocate memory',
  ],
};

describe('the error of a pull has one cause', () => {
  const cases = Object.entries(errors).flatMap(([id, texts]) => texts.map((text) => [id, text] as const));
  // podman names some errors without the words of a pull; the lines of our scripts have them.
  const withoutSource = new Set(['image-architecture-missing', 'image-blob-refused']);
  test.each(cases)('%s: %s', (id, text) => {
    const ids = found(text);
    expect(withoutSource.has(id) ? ids.filter((each) => each !== '') : ids).toEqual([id]);
  });
});

test.each([
  ['a digest that contains status codes', `${from}something new`],
  ['a file that cannot be read', 'open /var/lib/containers/storage/a: permission denied'],
  ['a blob that ends differently', 'writing blob: Digest did not match, expected sha256:403, got sha256:404'],
])('%s names no cause', (_name, text) => {
  expect(found(text).filter((each) => each !== '')).toEqual(['image-not-pulled']);
});
