import { X509Certificate, type KeyObject } from 'node:crypto';

import { digestOfKey, extendedUsageName, keyUsages, kindOfKey, oneLine, timeIn } from '../key-facts.js';
import { readable } from '../readable.js';

/** What a certificate says, in texts that may be shown. Times are RFC 3339, digests hex. */
export interface CertificateFacts {
  /** As `O=…, CN=…` in the order of the certificate. */
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly isCa: boolean;
  /** Its public key: SHA-256 of the SubjectPublicKeyInfo. Absent of a key that openssl does not know. */
  readonly key?: { readonly type: string; readonly sha256: string };
  /** SHA-256 of the certificate itself. */
  readonly sha256: string;
  /** As RFC 5280 §4.2.1.3 names them. */
  readonly usages: readonly string[];
  /** `server`, `client`, or a number. */
  readonly purposes: readonly string[];
  /** Such as `DNS:api.site1.example.com` and `IP Address:192.0.2.1`. */
  readonly names: readonly string[];
}

/** The facts of a certificate. */
export function factsOfCertificate(certificate: X509Certificate): CertificateFacts {
  const key = publicKeyOf(certificate);
  return {
    subject: readable(oneLine(certificate.subject)),
    issuer: readable(oneLine(certificate.issuer)),
    serial: certificate.serialNumber.toLowerCase(),
    notBefore: timeIn(certificate.validFrom),
    notAfter: timeIn(certificate.validTo),
    isCa: certificate.ca,
    ...(key && { key: { type: kindOfKey(key), sha256: digestOfKey(key) } }),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    usages: keyUsages(certificate.raw),
    purposes: purposesOf(certificate),
    names: namesOf(certificate.subjectAltName ?? '').map((name) => readable(name)),
  };
}

/** The certificate in a PEM block; undefined for what is none. */
export function readCertificate(pem: string | Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    // A date that no calendar has is told as none.
    return Number.isNaN(Date.parse(certificate.validTo)) ? undefined : certificate;
  } catch {
    return undefined;
  }
}

/** Whether one certificate was signed by the key of the other. */
export function isSignedBy(certificate: X509Certificate, signer: X509Certificate): boolean {
  const key = publicKeyOf(signer);
  try {
    return key !== undefined && certificate.checkIssued(signer) && certificate.verify(key);
  } catch {
    return false;
  }
}

function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

/** Although @types/node says otherwise, there is none where the extension is not. */
function purposesOf({ keyUsage }: { readonly keyUsage?: readonly string[] }): readonly string[] {
  return (keyUsage ?? []).map(extendedUsageName);
}

/** Names parted by a comma and a blank, in quotes where they hold such. Source: nodejs.org/api/crypto.html, x509.subjectAltName */
function namesOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g)].map(([name]) => name.trim());
}
