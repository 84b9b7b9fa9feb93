import { describe, expect, test } from 'vitest';

import { faultsIn } from '../../src/analysis/recognise.js';

const image = `registry.site.example:5000/openshift/release-images@sha256:${'40340429503407'.padEnd(64, '7')}`;
const from = `initializing source docker://${image}: `;
const pinging = `${from}pinging container registry registry.site.example:5000: Get "https://registry.site.example:5000/v2/": `;
const reading = `${from}reading manifest 4.20 in registry.site.example:5000/openshift/release-images: `;

const pingingMirror =
  'pinging container registry mirror.site.example: Get "https://mirror.site.example/v2/": ';

/** The beginning of an error of a pull whose mirror failed with this error; that of the source follows. */
function mirrored(error: string): string {
  return `${from}(Mirrors also failed: [mirror.site.example/a@sha256:63: ${error}]): ${image}: `;
}

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
    // github.com/christianh814/ocp4-upi-helpernode issue 27
    'unable to pull quay.io/a@sha256:21: unable to pull image: Error determining manifest MIME type for docker://quay.io/a@sha256:21: pinging docker registry returned: Get https://quay.io/v2/: x509: certificate signed by unknown authority',
    `${mirrored(`${pingingMirror}x509: certificate signed by unknown authority`)}${pinging}dial tcp: lookup registry.site.example on 192.0.2.53:53: no such host`,
    // Go crypto/x509 verify.go, UnknownAuthorityError
    `${pinging}tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate" while trying to verify candidate authority certificate "ca")`,
  ],
  'image-certificate-time': [
    // github.com/openshift/origin issue 24934, Go before 1.15
    'unable to pull quay.io/a@sha256:64: unable to pull image: Error initializing source docker://quay.io/a@sha256:64: error pinging docker registry quay.io: Get https://quay.io/v2/: x509: certificate has expired or is not yet valid',
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
  'registry-tls-refused': [
    // Go crypto/tls alert.go and handshake_client.go
    `${pinging}remote error: tls: handshake failure`,
    `${pinging}remote error: tls: protocol version not supported`,
    `${pinging}tls: server selected unsupported protocol version 301`,
  ],
  'proxy-refuses-registry': [
    `${pinging}Forbidden`,
    `${pinging}Method Not Allowed`,
    // github.com/openshift/installer issue 5689: the proxy refuses the mirror, the pull secret is not the cause.
    `${mirrored(`${pingingMirror}Access violation`)}reading manifest sha256:74 in quay.io/a: unauthorized: access to the requested resource is not authorized`,
  ],
  // Go net/http transport.go
  'proxy-speaks-http': [`${pinging}proxyconnect tcp: tls: first record does not look like a TLS handshake`],
  'proxy-certificate': [
    `${pinging}proxyconnect tcp: tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  ],
  'proxy-answers-otherwise': [`${pinging}malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\x02F"`],
  // containers/image pkg/docker/config
  'pull-secret-unusable': [
    `${from}getting username and password: reading JSON file "/root/.docker/config.json": unmarshaling JSON at "/root/.docker/config.json": invalid character '}' looking for beginning of value`,
    `${from}getting username and password: illegal base64 data at input byte 0`,
  ],
  // containers/image pkg/sysregistriesv2
  'registries-conf-unusable': [
    'loading registries configuration "/etc/containers/registries.conf": toml: line 3: expected value',
    `${from}loading registries configuration: loading drop-in registries configuration "/etc/containers/registries.conf.d/a.conf": toml: line 3`,
  ],
  'signature-policy-unusable': [
    // github.com/red-hat-storage/cephci pull request 5679; containers/image signature/policy_config.go
    'invalid policy in "/etc/containers/policy.json": Default policy is missing',
    'no policy.json file found at any of the following: "/root/.config/containers/policy.json", "/etc/containers/policy.json"',
  ],
  // containers/image docker/docker_client.go, getExtensionsSignatures and lookaside
  'image-signature-unreadable': [
    'copying system image from manifest list: reading signatures: Get "https://registry.site.example/sigstore/a@sha256=63/signature-1": dial tcp: lookup registry.site.example: no such host',
    'copying system image from manifest list: reading signatures: downloading signatures for sha256:63 in quay.io/a: received unexpected HTTP status: 403 Forbidden',
  ],
  'image-blob-host-unreachable': [
    // github.com/okd-project/okd issue 1584
    'copying system image from manifest list: parsing image configuration: Get "https://cdn03.quay.io/sha256/ab/abc?a=b": dial tcp: lookup cdn03.quay.io: no such host',
  ],
  'image-blob-missing': [
    'parsing image configuration: fetching blob: blob unknown to registry',
    'parsing image configuration: fetching blob: received unexpected HTTP status: 404 Not Found',
  ],
  // github.com/openshift/installer issue 1066
  'image-reference-invalid': [`initializing source docker://${image}: invalid reference format`],
  'image-data-damaged': [
    // github.com/osbuild/bootc-image-builder issue 406
    'writing blob: storing blob to file "/var/tmp/a/67": happened during read: Digest did not match, expected sha256:403, got sha256:404',
    'writing blob: adding layer with blob "sha256:ab": processing tar file(archive/tar: invalid tar header): exit status 1',
  ],
  'image-storage-damaged': ['copying system image from manifest list: writing blob: layer not known'],
  // Go net dnsclient_unix.go; github.com/okd-project/okd issue 507
  'name-server-none': [
    `${pinging}dial tcp: lookup quay.io on [::1]:53: read udp [::1]:46964->[::1]:53: read: connection refused`,
  ],
  'name-server-fails': [
    `${pinging}dial tcp: lookup quay.io on 10.0.0.1:53: read udp 10.0.0.7:46964->10.0.0.1:53: i/o timeout`,
    `${pinging}dial tcp: lookup quay.io on 10.0.0.1:53: server misbehaving`,
    `${pinging}dial tcp: lookup quay.io: Temporary failure in name resolution`,
  ],
  'registry-name-unknown': [
    `${pinging}dial tcp: lookup registry.site.example on 192.0.2.53:53: no such host`,
  ],
  'registry-connection-cut': [
    // github.com/mcronce/oci-registry issue 19
    'writing blob: storing blob to file "/var/tmp/storage2866776745/3": happened during read: unexpected EOF',
    `${pinging}read tcp 192.0.2.5:39338->192.0.2.7:443: read: connection reset by peer`,
    `${pinging}net/http: TLS handshake timeout`,
  ],
  'proxy-unreachable': [
    // Go net/http transport.go
    `${pinging}proxyconnect tcp: dial tcp: lookup proxy.site.example on 192.0.2.53:53: no such host`,
  ],
  'registry-speaks-http': [
    `${pinging}http: server gave HTTP response to HTTPS client`,
    `${pinging}tls: first record does not look like a TLS handshake`,
  ],
  'registry-web-page': [
    // github.com/redhat-cop/ocp4-helpernode issue 270
    `Error initializing source docker://${image}: can't talk to a V1 docker registry`,
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
    `${reading}manifest tagged by "4.18" is not found`,
    `${mirrored('reading manifest sha256:63 in mirror.site.example/a: manifest unknown')}${pinging}x509: certificate signed by unknown authority`,
    `${reading}StatusCode: 404, "<html>"`,
    // The mirror has no such image, and the source is blocked.
    `${from}(Mirrors also failed: [mirror.site.example/a: reading manifest 4.20 in mirror.site.example/a: manifest unknown]): ${image}: registry quay.site.example is blocked in /etc/containers/registries.conf or /etc/containers/registries.conf.d`,
  ],
  'registry-server-error': [
    `${reading}received unexpected HTTP status: 503 Service Unavailable`,
    `${reading}StatusCode: 502, "<html>"`,
    `${pinging}Service Unavailable`,
    `${reading}unknown: internal server error`,
  ],
  'registry-blocked': [
    `${from}registry registry.site.example is blocked in /etc/containers/registries.conf or /etc/containers/registries.conf.d`,
  ],
  'registry-unreachable': [
    `${mirrored(`${pingingMirror}dial tcp 192.0.2.8:5000: connect: connection refused`)}reading manifest sha256:63 in quay.io/a: unauthorized: access to the requested resource is not authorized`,
    `${pinging}dial tcp 192.0.2.7:5000: connect: connection refused`,
    `${pinging}dial tcp 192.0.2.7:5000: connect: no route to host`,
    `${pinging}dial tcp 192.0.2.7:5000: i/o timeout`,
    `${pinging}dial tcp [2001:db8::1]:443: connect: network is unreachable`,
    `${pinging}EOF`,
  ],
  'storage-full': [
    'writing blob: storing blob to file "/var/tmp/storage1/2": write /var/tmp/storage1/2: no space left on device',
    'writing blob: storing blob to file "/var/tmp/storage1/2": write /var/tmp/storage1/2: disk quota exceeded',
  ],
  'memory-full': [
    'writing blob: adding layer with blob "sha256:aaaa": fork/exec /proc/self/exe: cannot allocate memory',
    'writing blob: adding layer with blob "sha256:aaaa": signal: killed',
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
])('%s names no cause', (_name, text) => {
  expect(found(text).filter((each) => each !== '')).toEqual(['image-not-pulled']);
});

test('only the last attempt of a pull counts', () => {
  const attempt = (error: string) => ({
    text: `pulling ${image} failed after 5 s of 3600 s, next try in 5 s: Error: ${error}`,
  });
  const lines = [
    attempt(`${pinging}dial tcp: lookup registry.site.example on 192.0.2.53:53: no such host`),
    attempt(`${pinging}x509: certificate signed by unknown authority`),
    attempt(`${reading}manifest unknown`),
  ];
  const found = faultsIn({
    service: 'release-image',
    stage: 'pull-release-image',
    lines,
    isRunning: false,
    journalOf: () => [],
  });
  expect(found.map(({ fault }) => fault.id)).toEqual(['image-not-found']);
});
