import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import asn1 from 'node-forge/lib/asn1.js';
import type { asn1 as Asn1 } from 'node-forge';

import { addressBits, parseAddress } from './cidr.js';

/** A distinguished name; it is written in the order O, OU, CN, one part each. */
export interface DistinguishedName {
  readonly organizations?: readonly string[];
  readonly organizationalUnit?: string;
  readonly commonName: string;
}

export type ExtendedUsage = 'serverAuth' | 'clientAuth';

/** A private key with what certificates say of its public half. Reading a PEM is slow, so it is read once. */
export interface CertificateKey {
  readonly privateKey: KeyObject;
  /** SubjectPublicKeyInfo. */
  readonly publicInfo: Asn1.Asn1;
  /** RFC 5280 §4.2.1.2, method 1: SHA-1 of the bits of the public key. */
  readonly identifier: Buffer;
}

/** What a certificate says, before it is signed. */
export interface CertificateContents {
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** The key that is certified. */
  readonly subjectKey: CertificateKey;
  /** The key that signs. */
  readonly issuerKey: CertificateKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly isCa: boolean;
  /** Whether the extension keyUsage is written. */
  readonly hasKeyUsage: boolean;
  readonly extendedUsages: readonly ExtendedUsage[];
  /** DNS names and IP addresses. */
  readonly hostnames: readonly string[];
}

/** A certificate ready to be signed: the DER to sign, and how its signature is named. */
export interface Draft {
  readonly body: Asn1.Asn1;
  /** DER of the body, the TBSCertificate (RFC 5280 §4.1). */
  readonly toBeSigned: Buffer;
  readonly hash: 'sha256' | 'sha384';
  /** Whether two signatures over the same bytes differ. */
  readonly isRandomised: boolean;
  readonly algorithm: Asn1.Asn1;
}

/** Reads a private key, PEM. */
export function readCertificateKey(pem: string): CertificateKey {
  const privateKey = createPrivateKey(pem);
  const publicInfo = parse(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));
  return { privateKey, publicInfo, identifier: keyIdentifier(publicInfo) };
}

/** The certificate's contents as DER to sign. The serial number is derived from them, so it is as unique as they are. */
export function draftCertificate(contents: CertificateContents): Draft {
  const { privateKey: issuerKey } = contents.issuerKey;
  const { algorithm, hash } = signatureAlgorithm(issuerKey);
  const withoutSerial = [
    algorithm,
    name(contents.issuer),
    sequence(time(contents.notBefore), time(contents.notAfter)),
    name(contents.subject),
    contents.subjectKey.publicInfo,
    context(3, sequence(...extensions(contents))),
  ];
  const serial = serialOf(derOf(sequence(...withoutSerial)));
  const body = sequence(context(0, integer(Buffer.from([2]))), integer(serial), ...withoutSerial);
  const isRandomised = issuerKey.asymmetricKeyType === 'ec';
  return { body, toBeSigned: derOf(body), hash, algorithm, isRandomised };
}

/** Signs a draft in the thread pool. */
export function signDraft(draft: Draft, { privateKey }: CertificateKey): Promise<Buffer> {
  return promisify<string, Buffer, KeyObject, Buffer>(sign)(draft.hash, draft.toBeSigned, privateKey);
}

/** The finished certificate, PEM with 64 columns and a trailing newline. */
export function certificatePem(draft: Draft, signature: Buffer): string {
  const der = derOf(sequence(draft.body, draft.algorithm, bitString(signature)));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** RFC 5280 §4.1.2.2: positive and at most 20 octets; 126 bits of a hash, none of them leading zeros. */
function serialOf(der: Buffer): Buffer {
  const bytes = createHash('sha256').update(der).digest().subarray(0, 16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** Order and criticality as Go's crypto/x509 writes them; an authority that signs itself carries no authorityKeyIdentifier. */
function extensions(contents: CertificateContents): readonly Asn1.Asn1[] {
  const { isCa, hasKeyUsage, extendedUsages, hostnames, subjectKey, issuerKey } = contents;
  const usages = extendedUsages.map((usage) => oid(oids[usage]));
  const isSelfSigned = subjectKey.identifier.equals(issuerKey.identifier);
  return [
    ...(hasKeyUsage ? [extension(oids.keyUsage, 'critical', keyUsage(isCa, subjectKey.privateKey))] : []),
    ...(usages.length > 0 ? [extension(oids.extendedKeyUsage, 'plain', sequence(...usages))] : []),
    extension(oids.basicConstraints, 'critical', sequence(...(isCa ? [boolean()] : []))),
    extension(oids.subjectKeyIdentifier, 'plain', octetString(subjectKey.identifier)),
    ...(isSelfSigned ? [] : [extension(oids.authorityKeyIdentifier, 'plain', keyid(issuerKey.identifier))]),
    ...(hostnames.length > 0
      ? [extension(oids.subjectAltName, 'plain', sequence(...hostnames.map(generalName)))]
      : []),
  ];
}

/** RFC 5280 §4.2.1.1: keyIdentifier is context tag 0. */
function keyid(identifier: Buffer): Asn1.Asn1 {
  return sequence(contextBytes(0, identifier));
}

/** RFC 5280 §4.2.1.3, first bit highest: digitalSignature 0, keyEncipherment 2 (RSA keys only), keyCertSign 5. */
function keyUsage(isCa: boolean, key: KeyObject): Asn1.Asn1 {
  const bits = 0x80 | (key.asymmetricKeyType === 'rsa' ? 0x20 : 0) | (isCa ? 0x04 : 0);
  const unused = isCa ? 2 : key.asymmetricKeyType === 'rsa' ? 5 : 7;
  return primitive(asn1.Type.BITSTRING, Buffer.from([unused, bits]));
}

/** RFC 5280 §4.2.1.6: dNSName is context tag 2, iPAddress context tag 7 with 4 or 16 octets. */
function generalName(hostname: string): Asn1.Asn1 {
  const address = parseAddress(hostname);
  if (address === undefined) return contextBytes(2, Buffer.from(hostname, 'ascii'));
  const digits = addressBits(address.family) / 4;
  return contextBytes(7, Buffer.from(address.value.toString(16).padStart(digits, '0'), 'hex'));
}

function keyIdentifier(publicInfo: Asn1.Asn1): Buffer {
  const bits = Array.isArray(publicInfo.value) ? publicInfo.value[1]?.value : undefined;
  if (typeof bits !== 'string') throw new Error('internal error: a public key without bits');
  return createHash('sha1')
    .update(Buffer.from(bits.slice(1), 'binary'))
    .digest();
}

function signatureAlgorithm(key: KeyObject): {
  readonly algorithm: Asn1.Asn1;
  readonly hash: 'sha256' | 'sha384';
} {
  if (key.asymmetricKeyType === 'rsa') {
    return {
      hash: 'sha256',
      algorithm: sequence(oid(oids.sha256WithRSA), primitive(asn1.Type.NULL, Buffer.alloc(0))),
    };
  }
  const isP384 = key.asymmetricKeyDetails?.namedCurve === 'secp384r1';
  return isP384
    ? { hash: 'sha384', algorithm: sequence(oid(oids.ecdsaWithSHA384)) }
    : { hash: 'sha256', algorithm: sequence(oid(oids.ecdsaWithSHA256)) };
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

function name({ organizations = [], organizationalUnit, commonName }: DistinguishedName): Asn1.Asn1 {
  const parts: readonly (readonly [string, string])[] = [
    ...organizations.map((text) => [oids.organization, text] as const),
    ...(organizationalUnit === undefined ? [] : [[oids.organizationalUnit, organizationalUnit] as const]),
    [oids.commonName, commonName],
  ];
  return sequence(...parts.map(([type, text]) => set(sequence(oid(type), directoryString(text)))));
}

/** PrintableString where its alphabet allows it (X.680 §41.4), as Go does. */
function directoryString(text: string): Asn1.Asn1 {
  const isPrintable = /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text);
  return primitive(isPrintable ? asn1.Type.PRINTABLESTRING : asn1.Type.UTF8, Buffer.from(text));
}

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
function time(date: Date): Asn1.Asn1 {
  return date.getUTCFullYear() < 2050
    ? text(asn1.Type.UTCTIME, asn1.dateToUtcTime(date))
    : text(asn1.Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(date));
}

function extension(id: string, weight: 'critical' | 'plain', value: Asn1.Asn1): Asn1.Asn1 {
  return sequence(oid(id), ...(weight === 'critical' ? [boolean()] : []), octetString(derOf(value)));
}

/** Bit strings stay as they are: what is read is written again to the byte. */
function parse(der: Buffer): Asn1.Asn1 {
  return asn1.fromDer(der.toString('binary'), { decodeBitStrings: false });
}

function derOf(value: Asn1.Asn1): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'binary');
}

function sequence(...members: readonly Asn1.Asn1[]): Asn1.Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [...members]);
}

function set(member: Asn1.Asn1): Asn1.Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SET, true, [member]);
}

function context(tag: number, member: Asn1.Asn1): Asn1.Asn1 {
  return asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, true, [member]);
}

function contextBytes(tag: number, bytes: Buffer): Asn1.Asn1 {
  return asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, false, bytes.toString('binary'));
}

function primitive(type: Asn1.Type, bytes: Buffer): Asn1.Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, type, false, bytes.toString('binary'));
}

function text(type: Asn1.Type, value: string): Asn1.Asn1 {
  return primitive(type, Buffer.from(value, 'ascii'));
}

function integer(bytes: Buffer): Asn1.Asn1 {
  return primitive(asn1.Type.INTEGER, bytes);
}

function octetString(bytes: Buffer): Asn1.Asn1 {
  return primitive(asn1.Type.OCTETSTRING, bytes);
}

function bitString(bytes: Buffer): Asn1.Asn1 {
  return primitive(asn1.Type.BITSTRING, Buffer.concat([Buffer.from([0]), bytes]));
}

function boolean(): Asn1.Asn1 {
  return primitive(asn1.Type.BOOLEAN, Buffer.from([0xff]));
}

function oid(value: string): Asn1.Asn1 {
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(value).getBytes());
}
