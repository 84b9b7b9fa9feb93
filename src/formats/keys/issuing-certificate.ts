import { createHash, X509Certificate } from 'node:crypto';

import { contentsOf, membersOf, objectIdentifier } from './der.js';
import { publicBits } from './private-key.js';
import type { EncodedName } from './x509.js';

/** Names that a CA may or must not certify (RFC 5280 §4.2.1.10). */
export interface NameSubtrees {
  /** A domain with its subdomains; with a leading dot, only the subdomains. */
  readonly domains: readonly string[];
  /** Address and mask, concatenated: 8 or 32 octets. */
  readonly networks: readonly Buffer[];
  /** Whether there are name forms other than DNS names and addresses. */
  readonly hasOthers: boolean;
}

/** A CA certificate and the restrictions of its key. */
export interface IssuingCertificate {
  readonly x509: X509Certificate;
  readonly subject: EncodedName;
  /** subjectKeyIdentifier of the certificate; if absent, RFC 5280 §4.2.1.2, method 1. */
  readonly keyIdentifier: Buffer;
  readonly isCa: boolean;
  /** Number of intermediate CAs allowed below it; absent if unlimited. */
  readonly pathLength?: number;
  /** Absent without the keyUsage extension. */
  readonly maySignCertificates?: boolean;
  /** Extended key usages; absent if the certificates below are not restricted. */
  readonly extendedUsages?: readonly ('serverAuth' | 'clientAuth' | 'any' | 'other')[];
  readonly permitted?: NameSubtrees;
  readonly excluded?: NameSubtrees;
  /** Whether the certificate is signed with MD5 or SHA-1. */
  readonly hasWeakSignature: boolean;
  readonly isSelfIssued: boolean;
}

/** Reads an X.509 v3 certificate; undefined if it is invalid. */
export function readIssuingCertificate(pem: string): IssuingCertificate | undefined {
  try {
    return factsOf(new X509Certificate(pem));
  } catch {
    return undefined;
  }
}

function factsOf(x509: X509Certificate): IssuingCertificate {
  const [tbs = Buffer.alloc(0), algorithm = Buffer.alloc(0)] = membersOf(contentsOf(x509.raw));
  const [, , , issuer = Buffer.alloc(0), , subject = Buffer.alloc(0), publicDer = Buffer.alloc(0)] =
    membersOf(contentsOf(tbs));
  const extensions = extensionsOf(contentsOf(tbs));
  const usage = extensions.get(oid.keyUsage);
  const usages = extensions.get(oid.extendedKeyUsage);
  const identifier = extensions.get(oid.subjectKeyIdentifier);
  const constraints = constraintsOf(extensions.get(oid.nameConstraints));
  return {
    x509,
    subject: { der: subject, commonName: commonNameOf(x509) },
    keyIdentifier: identifier
      ? contentsOf(identifier)
      : createHash('sha1').update(publicBits({ publicDer })).digest(),
    ...basicConstraints(extensions.get(oid.basicConstraints)),
    // The first byte is the number of unused bits; keyCertSign is bit 5.
    ...(usage && { maySignCertificates: ((contentsOf(usage)[1] ?? 0) & 0x04) !== 0 }),
    ...(usages && { extendedUsages: membersOf(contentsOf(usages)).map(extendedUsage) }),
    ...constraints,
    hasWeakSignature: weakSignatures.has(hex(membersOf(contentsOf(algorithm))[0])),
    isSelfIssued: issuer.equals(subject),
  };
}

const nothing: Buffer = Buffer.alloc(0);
const hex = (der = nothing): string => der.toString('hex');
const oidText = (dotted: string): string => hex(objectIdentifier(dotted));

/** RFC 5280 §4.2.1. */
const oid = {
  subjectKeyIdentifier: oidText('2.5.29.14'),
  keyUsage: oidText('2.5.29.15'),
  basicConstraints: oidText('2.5.29.19'),
  nameConstraints: oidText('2.5.29.30'),
  extendedKeyUsage: oidText('2.5.29.37'),
};

/** MD5 and SHA-1 with RSA, ECDSA with SHA-1. Source: RFC 8017 §A.2.4, RFC 5758 §3.2 */
const weakSignatures: ReadonlySet<string> = new Set(
  ['1.2.840.113549.1.1.4', '1.2.840.113549.1.1.5', '1.2.840.10045.4.1'].map(oidText),
);

/** Extension values by OID, unwrapped: `[3] { SEQ { SEQ { oid, critical?, OCTET STRING { value } } } }`. */
function extensionsOf(tbs: Buffer): ReadonlyMap<string, Buffer> {
  const wrapped = membersOf(tbs).find((member) => member[0] === 0xa3);
  if (wrapped === undefined) return new Map();
  return new Map(
    membersOf(contentsOf(contentsOf(wrapped))).map((extension) => {
      const members = membersOf(contentsOf(extension));
      return [hex(members[0]), contentsOf(members.at(-1) ?? Buffer.alloc(0))] as const;
    }),
  );
}

/** `SEQ { cA BOOLEAN DEFAULT FALSE, pathLen INTEGER OPTIONAL }` */
function basicConstraints(value: Buffer | undefined): Pick<IssuingCertificate, 'isCa' | 'pathLength'> {
  const members = value === undefined ? [] : membersOf(contentsOf(value));
  const length = members.find((member) => member[0] === 0x02);
  return {
    isCa: members.some((member) => member[0] === 0x01 && contentsOf(member)[0] === 0xff),
    ...(length && { pathLength: contentsOf(length).reduce((sum, byte) => sum * 0x100 + byte, 0) }),
  };
}

const extendedUsages: Readonly<Partial<Record<string, 'serverAuth' | 'clientAuth' | 'any'>>> = {
  [oidText('1.3.6.1.5.5.7.3.1')]: 'serverAuth',
  [oidText('1.3.6.1.5.5.7.3.2')]: 'clientAuth',
  [oidText('2.5.29.37.0')]: 'any',
};

function extendedUsage(der: Buffer): 'serverAuth' | 'clientAuth' | 'any' | 'other' {
  return extendedUsages[hex(der)] ?? 'other';
}

/** `SEQ { [0] permitted, [1] excluded }`, each a list of `SEQ { base GeneralName }`. */
function constraintsOf(value: Buffer | undefined): Pick<IssuingCertificate, 'permitted' | 'excluded'> {
  const members = value === undefined ? [] : membersOf(contentsOf(value));
  const [permitted, excluded] = [0xa0, 0xa1].map((tag) => members.find((member) => member[0] === tag));
  return {
    ...(permitted && { permitted: subtreesOf(permitted) }),
    ...(excluded && { excluded: subtreesOf(excluded) }),
  };
}

/** In GeneralName, dNSName is context tag 2 and iPAddress 7. */
function subtreesOf(list: Buffer): NameSubtrees {
  const bases = membersOf(contentsOf(list)).map(
    (subtree) => membersOf(contentsOf(subtree))[0] ?? Buffer.alloc(0),
  );
  const ofTag = (tag: number): readonly Buffer[] => bases.filter((base) => base[0] === tag).map(contentsOf);
  return {
    domains: ofTag(0x82).map((name) => name.toString('latin1').toLowerCase()),
    networks: ofTag(0x87),
    hasOthers: bases.some((base) => base[0] !== 0x82 && base[0] !== 0x87),
  };
}

/** Last common name of the subject; empty if there is none. */
function commonNameOf({ subject }: X509Certificate): string {
  const line = subject.split('\n').findLast((each) => each.startsWith('CN='));
  return line?.slice('CN='.length) ?? '';
}
