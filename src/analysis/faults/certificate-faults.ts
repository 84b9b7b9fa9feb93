import type { Fault } from './fault.js';
import { pullFails } from './pull-signs.js';

/** Faults of a pull in the TLS connection to the registry. Source of the texts: Go crypto/x509 verify.go, crypto/tls alert.go */
export const certificateFaults: readonly Fault[] = [
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
    fix: 'Compare the clock in bootstrap/time.txt with the dates in the line. Set the clock to UTC in the firmware, or set ntpSources in sno-config.yaml to reachable servers.',
  },
  {
    id: 'image-certificate-time',
    title: 'the certificate of the registry is not valid at the time of the clock',
    stages: 'any',
    // Go before 1.15 logs no times.
    signs: pullFails(/x509: certificate has expired or is not yet valid(?!: current)/),
    cause:
      'The clock of the machine is wrong, or the certificate of the registry or of its CA has expired. The line names both.',
    fix: 'Compare the clock in bootstrap/time.txt with the output of `openssl s_client -connect REGISTRY:PORT </dev/null | openssl x509 -noout -dates`. Correct the clock (ntpSources in sno-config.yaml), or renew the certificate.',
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
      /x509: certificate (?:is not authorized to sign|specifies an incompatible key usage|is not valid)|x509: (?:too many intermediates|unhandled critical extension|invalid signature|issuer name does not match|cannot verify signature|negative serial number)/,
    ),
    cause: 'The line has the reason: the certificate is no server certificate, or its chain is broken.',
    fix: 'Issue a server certificate for the registry, and let it send the whole chain.',
  },
  {
    id: 'registry-tls-refused',
    title: 'the registry and the machine agree on no TLS connection',
    stages: 'any',
    signs: pullFails(
      /remote error: tls: |local error: tls: |tls: server selected unsupported protocol version|tls: server chose an unconfigured cipher suite/,
    ),
    cause:
      'The registry offers only TLS versions or ciphers that the machine refuses (TLS 1.0 and 1.1, or any without FIPS approval if fips is true), requires a client certificate, or a firewall ends connections to this name.',
    fix: 'On the node: `openssl s_client -connect REGISTRY:PORT -servername REGISTRY`. Enable TLS 1.2 or later on the registry, or allow its name on the firewall.',
  },
];
