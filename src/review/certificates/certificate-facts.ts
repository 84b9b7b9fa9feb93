import { X509Certificate, type KeyObject } from 'node:crypto';

import { byCodeUnit } from '../../core/compare.js';
import { digestOfKey, extendedUsageName, keyUsages, kindOfKey, oneLine, timeIn } from '../key-facts.js';
import { renderText } from '../render-text.js';

/** The facts of a certificate as printable texts. Times are RFC 3339, digests hexadecimal. */
export interface CertificateFacts {
  /** `O=…, CN=…` in the order of the certificate. */
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly isCa: boolean;
  /** SHA-256 of the SubjectPublicKeyInfo. Absent if openssl does not know the key type. */
  readonly key?: { readonly type: string; readonly sha256: string };
  /** SHA-256 of the DER certificate. */
  readonly sha256: string;
  /** Key usages with the names of RFC 5280 §4.2.1.3. */
  readonly usages: readonly string[];
  /** Extended key usages: `server`, `client`, or an OID. */
  readonly purposes: readonly string[];
  /** Subject alternative names, such as `DNS:api.site1.example.com` and `IP Address:192.0.2.1`. */
  readonly names: readonly string[];
}

type Listed = { readonly facts: Pick<CertificateFacts, 'notAfter' | 'subject'> };

/**
 * Orders certificates by expiry, then by subject. All certificates of one run can have both in common. They keep the order in which they
 * were found, which a digest would change with each generation of keys.
 */
export function byExpiry({ facts: left }: Listed, { facts: right }: Listed): number {
  return Date.parse(left.notAfter) - Date.parse(right.notAfter) || byCodeUnit(left.subject, right.subject);
}

export function factsOfCertificate(certificate: X509Certificate): CertificateFacts {
  const key = publicKeyOf(certificate);
  return {
    subject: renderText(oneLine(certificate.subject)),
    issuer: renderText(oneLine(certificate.issuer)),
    serial: certificate.serialNumber.toLowerCase(),
    notBefore: timeIn(certificate.validFrom),
    notAfter: timeIn(certificate.validTo),
    isCa: certificate.ca,
    ...(key && { key: { type: kindOfKey(key), sha256: digestOfKey(key) } }),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    usages: keyUsages(certificate.raw),
    purposes: purposesOf(certificate),
    names: namesOf(certificate.subjectAltName ?? '').map((name) => renderText(name)),
  };
}

/** Parses a PEM certificate. Returns undefined if it is invalid. */
export function readCertificate(pem: string | Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    // An impossible date makes the certificate invalid.
    return Number.isNaN(Date.parse(certificate.validTo)) ? undefined : certificate;
  } catch {
    return undefined;
  }
}

/** Whether `signer` issued `certificate`, by name and signature. */
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

/** `keyUsage` is undefined without the extension, contrary to @types/node. */
function purposesOf({ keyUsage }: { readonly keyUsage?: readonly string[] }): readonly string[] {
  return (keyUsage ?? []).map(extendedUsageName);
}

/** Splits names at commas, except within quotes. Source: nodejs.org/api/crypto.html, x509.subjectAltName */
function namesOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g)].map(([name]) => name.trim());
}
