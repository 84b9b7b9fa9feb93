import type { CertificateKey, DistinguishedName } from '../formats/keys/x509.js';

/** A certificate with its private key. */
export interface CertifiedKey {
  /** PEM, 64 columns, trailing newline: the certificate alone. */
  readonly certPem: string;
  /** PEM: what goes into the `.crt` file, the certificate and, where the catalog says so, its signer after it. */
  readonly chainPem: string;
  /** PKCS#8 PEM. */
  readonly keyPem: string;
  /** What `keyPem` says, read once. */
  readonly key: CertificateKey;
  readonly subject: DistinguishedName;
  readonly commonName: string;
  readonly issuerCommonName: string;
  /** DNS names and IP addresses of the subject alternative name, in certificate order. */
  readonly hostnames: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}
