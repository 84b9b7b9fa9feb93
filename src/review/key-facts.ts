import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';

import { rfc3339 } from '../core/rfc3339.js';
import { readKeyPlaceholder } from '../formats/keys/placeholder-key.js';
import { sha256 } from '../formats/sha256.js';

/** Describes a PEM block in one line without secrets: a certificate by its fields, a key by type and fingerprint. */
export function factsOfPem(label: string, pem: string): string {
  const placeholder = factsOfPlaceholder(label, pem);
  try {
    if (label === 'CERTIFICATE') {
      const certificate = new X509Certificate(pem);
      return factsOfCertificate(certificate, placeholder ?? factsOfKey(certificate.publicKey));
    }
    if (placeholder !== undefined)
      return `${label.includes('PRIVATE') ? 'private' : 'public'} key ${placeholder}`;
    if (label.endsWith('PRIVATE KEY'))
      return `private key ${factsOfKey(createPublicKey(createPrivateKey(pem)))}`;
    if (label.endsWith('PUBLIC KEY')) return `public key ${factsOfKey(createPublicKey(pem))}`;
  } catch {
    return `${label.toLowerCase()} that cannot be read`;
  }
  return label.toLowerCase();
}

/** Describes a placeholder of a golden tree in the format of a real key. */
function factsOfPlaceholder(label: string, pem: string): string | undefined {
  const base64 = pem.replaceAll(/-----[^-]+-----/g, '');
  const placeholder = readKeyPlaceholder(label, Buffer.from(base64, 'base64'));
  return placeholder && `stand-in-${placeholder.kind} ${sha256(placeholder.publicDer).slice(0, 8)}`;
}

function factsOfCertificate(certificate: X509Certificate, key: string): string {
  const facts = [
    `certificate ${oneLine(certificate.subject)}`,
    certificate.issuer === certificate.subject ? 'self-signed' : `issuer ${oneLine(certificate.issuer)}`,
    ...(certificate.ca ? ['CA'] : []),
    `key ${key}`,
    `${timeIn(certificate.validFrom)} to ${timeIn(certificate.validTo)}`,
    `usage ${keyUsages(certificate.raw).join('+') || 'any'}`,
    ...extendedUsages(certificate),
    ...(certificate.subjectAltName === undefined ? [] : [`names ${certificate.subjectAltName}`]),
  ];
  return facts.join('; ');
}

/** Certificates may have no subject or issuer. Node.js returns undefined for these. */
export function oneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ');
}

/** Converts a certificate time of node:crypto to RFC 3339. */
export function timeIn(text: string): string {
  return rfc3339(new Date(text));
}

/** Type, size and the first 8 hex digits of the public key's SHA-256. Equal for both halves of a key pair. */
function factsOfKey(publicKey: KeyObject): string {
  return `${kindOfKey(publicKey)} ${digestOfKey(publicKey).slice(0, 8)}`;
}

/** Type and size of a key, such as `rsa-2048` or `ec-prime256v1`. */
export function kindOfKey(publicKey: KeyObject): string {
  const details = publicKey.asymmetricKeyDetails;
  const size = details?.modulusLength ?? details?.namedCurve ?? '';
  return [publicKey.asymmetricKeyType ?? 'unknown', ...(size === '' ? [] : [size])].join('-');
}

/** SHA-256 (hex) of the SubjectPublicKeyInfo. Equal for both halves of a key pair. */
export function digestOfKey(publicKey: KeyObject): string {
  return sha256(publicKey.export({ type: 'spki', format: 'der' }));
}

/** Bit names in order. Source: RFC 5280 §4.2.1.3. */
const usageBits = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
];

/**
 * Reads extension 2.5.29.15, which node:crypto does not expose: OID, optional critical flag, then a BIT STRING in an OCTET
 * STRING.
 */
export function keyUsages(der: Buffer): readonly string[] {
  const at = der.indexOf(Buffer.from('0603551d0f', 'hex'));
  if (at === -1) return [];
  const bitString = der.indexOf(Buffer.from([0x03]), der.indexOf(Buffer.from([0x04]), at + 5));
  const bits = der[bitString + 3] ?? 0;
  return usageBits.filter((_name, index) => (bits & (0x80 >> index)) !== 0);
}

/** Source: RFC 5280 §4.2.1.12. */
const extendedUsageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'server',
  '1.3.6.1.5.5.7.3.2': 'client',
};

function extendedUsages({ keyUsage }: { readonly keyUsage?: readonly string[] }): readonly string[] {
  return keyUsage ? [`for ${keyUsage.map(extendedUsageName).join('+')}`] : [];
}

/** Returns the name of an extended key usage, or the OID if it has no name here. */
export function extendedUsageName(oid: string): string {
  return extendedUsageNames[oid] ?? oid;
}
