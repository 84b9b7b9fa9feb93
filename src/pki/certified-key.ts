import type { KeyPem } from '../formats/keys/key-pem.js';
import type { CertificateKey, DistinguishedName, EncodedName } from '../formats/keys/x509.js';

/** A certificate and key that sign certificates: a generated CA, or the user's. */
export interface Issuer {
  /** PEM of the certificate alone. */
  readonly certPem: string;
  readonly key: CertificateKey;
  readonly subject: DistinguishedName | EncodedName;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /**
   * PEM of the certificates between this one and the root, nearest first. Servers must send them to clients that trust only the
   * root. Absent for roots and for CAs that issue no server certificates.
   */
  readonly abovePem?: string;
}

/** A certificate with its private key. */
export interface CertifiedKey extends Issuer {
  /** PEM of the certificate alone, 64 columns, trailing newline. */
  readonly certPem: string;
  /** Contents of the `.crt` file, PEM: the certificate, followed by its issuers if servers must send them or the catalog requires it. */
  readonly chainPem: string;
  /** PKCS#8 PEM. */
  readonly keyPem: KeyPem;
  /** Parsed from `keyPem`. */
  readonly key: CertificateKey;
  readonly subject: DistinguishedName;
  readonly commonName: string;
  readonly issuerCommonName: string;
  /** DNS names and IP addresses of the subject alternative name, in the order of the certificate. */
  readonly hostnames: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}
