import type { CertificateKey, DistinguishedName, EncodedName } from '../formats/keys/x509.js';

/** What signs certificates: an authority of ours, or the user's. */
export interface Issuer {
  /** PEM: the certificate alone. */
  readonly certPem: string;
  readonly key: CertificateKey;
  readonly subject: DistinguishedName | EncodedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /**
   * PEM: the certificates between this one and the root, nearest first, which those who trust the root alone must be shown; absent
   * of a root, and of what signs no servers.
   */
  readonly abovePem?: string;
}

/** A certificate with its private key. */
export interface CertifiedKey extends Issuer {
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
