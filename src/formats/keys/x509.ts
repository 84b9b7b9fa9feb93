import { createHash } from 'node:crypto';

import { addressBits, parseAddress } from '../cidr.js';
import {
  bitString,
  directoryString,
  explicit,
  implicit,
  nullValue,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  trueValue,
  unsignedInteger,
} from './der.js';
import { pemOf, publicBits, type PrivateKey } from './private-key.js';

/** A distinguished name, encoded in the order O, OU, CN with one attribute per RDN. */
export interface DistinguishedName {
  readonly organizations?: readonly string[];
  readonly organizationalUnit?: string;
  readonly commonName: string;
}

/** The encoded distinguished name of an existing certificate, with arbitrary attributes. */
export interface EncodedName {
  readonly der: Buffer;
  readonly commonName: string;
}

/** Extended key usage for TLS (RFC 5280 §4.2.1.12). */
export type ExtendedUsage = 'serverAuth' | 'clientAuth';

/** A private key and its public key as used in certificates. */
export interface CertificateKey {
  readonly privateKey: PrivateKey;
  /** RFC 5280 §4.2.1.2, method 1: SHA-1 of the public key bits. */
  readonly identifier: Buffer;
}

/** Contents of a certificate to be signed. */
export interface CertificateContents {
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName | EncodedName;
  readonly subjectKey: CertificateKey;
  readonly issuerKey: CertificateKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isCa: boolean;
  /** Whether to include the keyUsage extension. */
  readonly hasKeyUsage: boolean;
  readonly extendedUsages: readonly ExtendedUsage[];
  /** DNS names and IP addresses. */
  readonly hostnames: readonly string[];
}

/** A certificate ready for signing, and its signature algorithm. */
export interface UnsignedCertificate {
  /** The TBSCertificate (RFC 5280 §4.1). */
  readonly toBeSigned: Buffer;
  /** AlgorithmIdentifier of the signature, DER. */
  readonly algorithm: Buffer;
  /** Whether two signatures over the same bytes differ. */
  readonly isRandomised: boolean;
}

export function certificateKey(privateKey: PrivateKey): CertificateKey {
  return { privateKey, identifier: createHash('sha1').update(publicBits(privateKey)).digest() };
}

/** Encodes the TBSCertificate. The serial number is derived from the contents, so it is unique to them. */
export function draftCertificate(contents: CertificateContents): UnsignedCertificate {
  const { privateKey: issuerKey } = contents.issuerKey;
  const algorithm = signatureAlgorithm(issuerKey);
  const withoutSerial = [
    algorithm,
    'der' in contents.issuer ? contents.issuer.der : name(contents.issuer),
    sequence(time(contents.notBefore), time(contents.notAfter)),
    name(contents.subject),
    contents.subjectKey.privateKey.publicDer,
    explicit(3, sequence(...extensions(contents))),
  ];
  const serial = unsignedInteger(serialOf(sequence(...withoutSerial)));
  const version3 = explicit(0, unsignedInteger(Buffer.of(2)));
  const toBeSigned = sequence(version3, serial, ...withoutSerial);
  return { toBeSigned, algorithm, isRandomised: issuerKey.kind !== 'RSA' };
}

/** The signed certificate, PEM with 64 columns and a trailing newline. */
export function certificatePem({ toBeSigned, algorithm }: UnsignedCertificate, signature: Buffer): string {
  return pemOf('CERTIFICATE', sequence(toBeSigned, algorithm, bitString(signature)));
}

/** RFC 5280 §4.1.2.2: positive and at most 20 octets; 126 bits of a hash, without leading zero bits. */
function serialOf(der: Buffer): Buffer {
  const bytes = createHash('sha256').update(der).digest().subarray(0, 16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** Order and criticality as in Go's crypto/x509. A self-signed CA has no authorityKeyIdentifier. */
function extensions(contents: CertificateContents): readonly Buffer[] {
  const { isCa, hasKeyUsage, extendedUsages, hostnames, subjectKey, issuerKey } = contents;
  const usages = extendedUsages.map((usage) => objectIdentifier(oids[usage]));
  const isSelfSigned = subjectKey.identifier.equals(issuerKey.identifier);
  return [
    ...(hasKeyUsage ? [extension(oids.keyUsage, 'critical', keyUsage(isCa, subjectKey.privateKey))] : []),
    ...(usages.length > 0 ? [extension(oids.extendedKeyUsage, 'plain', sequence(...usages))] : []),
    extension(oids.basicConstraints, 'critical', sequence(...(isCa ? [trueValue] : []))),
    extension(oids.subjectKeyIdentifier, 'plain', octetString(subjectKey.identifier)),
    ...(isSelfSigned ? [] : [extension(oids.authorityKeyIdentifier, 'plain', keyid(issuerKey.identifier))]),
    ...(hostnames.length > 0
      ? [extension(oids.subjectAltName, 'plain', sequence(...hostnames.map(generalName)))]
      : []),
  ];
}

/** RFC 5280 §4.2.1.1: keyIdentifier is context tag 0. */
function keyid(identifier: Buffer): Buffer {
  return sequence(implicit(0, identifier));
}

/** RFC 5280 §4.2.1.3, first bit highest: digitalSignature 0, keyEncipherment 2 (RSA keys only), keyCertSign 5. */
function keyUsage(isCa: boolean, { kind }: PrivateKey): Buffer {
  const isRsa = kind === 'RSA';
  const bits = 0x80 | (isRsa ? 0x20 : 0) | (isCa ? 0x04 : 0);
  return bitString(Buffer.of(bits), isCa ? 2 : isRsa ? 5 : 7);
}

/** RFC 5280 §4.2.1.6: dNSName is context tag 2, iPAddress context tag 7 with 4 or 16 octets. */
function generalName(hostname: string): Buffer {
  const address = parseAddress(hostname);
  if (address === undefined) return implicit(2, Buffer.from(hostname, 'ascii'));
  const digits = addressBits(address.family) / 4;
  return implicit(7, Buffer.from(address.value.toString(16).padStart(digits, '0'), 'hex'));
}

/** RFC 4055 §5, RFC 5758 §3.2: RSA with NULL parameters, ECDSA without parameters. */
function signatureAlgorithm({ kind }: PrivateKey): Buffer {
  switch (kind) {
    case 'RSA':
      return sequence(objectIdentifier(oids.sha256WithRSA), nullValue);
    case 'P-256':
      return sequence(objectIdentifier(oids.ecdsaWithSHA256));
    case 'P-384':
      return sequence(objectIdentifier(oids.ecdsaWithSHA384));
  }
}

/** RFC 5280, RFC 8017 and RFC 5758. */
const oids = {
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  sha256WithRSA: '1.2.840.113549.1.1.11',
  ecdsaWithSHA256: '1.2.840.10045.4.3.2',
  ecdsaWithSHA384: '1.2.840.10045.4.3.3',
} as const;

function name({ organizations = [], organizationalUnit, commonName }: DistinguishedName): Buffer {
  const parts: readonly (readonly [string, string])[] = [
    ...organizations.map((text) => [oids.organization, text] as const),
    ...(organizationalUnit === undefined ? [] : [[oids.organizationalUnit, organizationalUnit] as const]),
    [oids.commonName, commonName],
  ];
  return sequence(
    ...parts.map(([type, text]) => setOf(sequence(objectIdentifier(type), directoryString(text)))),
  );
}

function extension(id: string, weight: 'critical' | 'plain', value: Buffer): Buffer {
  const critical = weight === 'critical' ? [trueValue] : [];
  return sequence(objectIdentifier(id), ...critical, octetString(value));
}
