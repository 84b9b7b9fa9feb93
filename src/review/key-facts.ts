import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';

import { rfc3339 } from '../core/rfc3339.js';
import { readStandIn } from '../formats/keys/stand-in-key.js';
import { sha256 } from '../formats/sha256.js';

/** What may be shown of a PEM block of that label, in one line: a certificate by what it says, a key by type and fingerprint. */
export function factsOfPem(label: string, pem: string): string {
  const standIn = factsOfStandIn(label, pem);
  try {
    if (label === 'CERTIFICATE') {
      const certificate = new X509Certificate(pem);
      return factsOfCertificate(certificate, standIn ?? factsOfKey(certificate.publicKey));
    }
    if (standIn !== undefined) return `${label.includes('PRIVATE') ? 'private' : 'public'} key ${standIn}`;
    if (label.endsWith('PRIVATE KEY'))
      return `private key ${factsOfKey(createPublicKey(createPrivateKey(pem)))}`;
    if (label.endsWith('PUBLIC KEY')) return `public key ${factsOfKey(createPublicKey(pem))}`;
  } catch {
    return `${label.toLowerCase()} that cannot be read`;
  }
  return label.toLowerCase();
}

/** Of what is no key and stands for one in a golden tree: that it does, and otherwise what a key would show. */
function factsOfStandIn(label: string, pem: string): string | undefined {
  const base64 = pem.replaceAll(/-----[^-]+-----/g, '');
  const standIn = readStandIn(label, Buffer.from(base64, 'base64'));
  return standIn && `stand-in-${standIn.kind} ${sha256(standIn.publicDer).slice(0, 8)}`;
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

/** A certificate without a subject or an issuer has none, and not an empty one. */
export function oneLine(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ');
}

/** A time as node:crypto writes that of a certificate, in RFC 3339. */
export function timeIn(text: string): string {
  return rfc3339(new Date(text));
}

/** Type and size, and the start of the SHA-256 of the public key, by which a pair can be recognised. */
function factsOfKey(publicKey: KeyObject): string {
  return `${kindOfKey(publicKey)} ${digestOfKey(publicKey).slice(0, 8)}`;
}

/** Type and size of a key, such as `rsa-2048` or `ec-prime256v1`. */
export function kindOfKey(publicKey: KeyObject): string {
  const details = publicKey.asymmetricKeyDetails;
  const size = details?.modulusLength ?? details?.namedCurve ?? '';
  return [publicKey.asymmetricKeyType ?? 'unknown', ...(size === '' ? [] : [size])].join('-');
}

/** SHA-256 (hex) of a public key as SubjectPublicKeyInfo, by which a pair can be recognised. */
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

/** Of extension 2.5.29.15, which node:crypto does not show: OID, perhaps critical, then a bit string in an octet string. */
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

/** A purpose by its name, or by its number where it has none here. */
export function extendedUsageName(oid: string): string {
  return extendedUsageNames[oid] ?? oid;
}
