import forge from 'node-forge';

import { omitKeys } from '../../src/core/map-record.js';
import type { PemBlock } from './pem-blocks.js';

const { asn1, pki } = forge;
type Asn1 = forge.asn1.Asn1;
type Certificate = forge.pki.Certificate;

/** The results of node-forge for a set of PEM blocks. */
export interface ForgeReport {
  readonly faults: readonly string[];
  /** Number of distinct values by kind, such as `certificate, RSA` or `private key, ASN.1 only`. */
  readonly counts: Readonly<Record<string, number>>;
  /** SubjectPublicKeyInfo of each certificate, public key and RSA private key, as node-forge encodes it. */
  readonly publicKeys: readonly Buffer[];
}

/**
 * Decodes every block strictly, encodes it again from the decoded structure and compares the bytes. Verifies each RSA certificate
 * up to a self-signed one, at a given time. node-forge has no elliptic curves: for other keys it checks only the ASN.1.
 */
export function checkWithForge(blocks: readonly PemBlock[], at: Date): ForgeReport {
  const distinct = new Map(blocks.map((block) => [keyOf(block), block]));
  const faults = blocks.length === 0 ? ['there is nothing to decode'] : [];
  const decoded: (Decoded & { readonly place: string })[] = [];
  for (const block of distinct.values()) {
    try {
      decoded.push({ place: block.place, ...decode(block) });
    } catch (error) {
      faults.push(
        `${block.place}: ${block.label}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const certificates = decoded.flatMap(({ certificate }) => (certificate ? [certificate] : []));
  const chainFaults = decoded.flatMap(({ place, certificate }) => {
    if (certificate === undefined) return [];
    const fault = chainFault(certificate, certificates, at);
    return fault === undefined ? [] : [`${place}: ${nameOf(certificate)}: ${fault}`];
  });
  const kinds = [...new Set(decoded.map(({ kind }) => kind))].sort();
  return {
    faults: [...faults, ...chainFaults],
    counts: Object.fromEntries(
      kinds.map((kind) => [kind, decoded.filter((each) => each.kind === kind).length]),
    ),
    publicKeys: decoded.flatMap(({ publicKey }) => (publicKey ? [publicKey] : [])),
  };
}

interface Decoded {
  readonly kind: string;
  readonly certificate?: Certificate;
  readonly publicKey?: Buffer;
}

/** The same keys and certificates occur in many outputs. */
const known = new Map<string, Decoded>();

function decode(block: PemBlock): Decoded {
  const decoded = known.get(keyOf(block)) ?? decodeBlock(block);
  known.set(keyOf(block), decoded);
  return decoded;
}

function keyOf({ label, der }: PemBlock): string {
  return `${label} ${der.toString('base64')}`;
}

/** Throws if the value is invalid. */
function decodeBlock({ label, der }: PemBlock): Decoded {
  const value = read(der.toString('latin1'));
  expectBytes(value, der);
  switch (label) {
    case 'CERTIFICATE':
      return decodeCertificate(value, der);
    case 'CERTIFICATE REQUEST':
      return decodeRequest(value, der);
    case 'PRIVATE KEY':
      return decodePkcs8(value, der);
    case 'RSA PRIVATE KEY':
      return decodeRsaKey(value, { der, encode: (key) => key });
    case 'PUBLIC KEY':
      if (!isRsa(value)) return { kind: 'public key, ASN.1 only', publicKey: bytesOf(value) };
      expectBytes(pki.publicKeyToAsn1(pki.publicKeyFromAsn1(value)), der);
      return { kind: 'public key, RSA', publicKey: bytesOf(value) };
    default:
      throw new Error('no program of the node reads this PEM label');
  }
}

function decodeCertificate(value: Asn1, der: Buffer): Decoded {
  // RFC 5280 §4.1: version, serial number, algorithm, issuer, validity, subject, key, extensions.
  const [, , , , , , publicKey, extensions] = childrenOf(childrenOf(value)[0]);
  for (const extension of childrenOf(childrenOf(extensions)[0])) expectNested(childrenOf(extension).at(-1));
  if (publicKey === undefined) throw new Error('the certificate has no public key');
  // node-forge writes parameters for an ECDSA signature algorithm, and RFC 5758 forbids them.
  if (!isRsa(publicKey) || !isRsaSignature(childrenOf(value)[1]))
    return { kind: 'certificate, ASN.1 only', publicKey: bytesOf(publicKey) };
  const again = pki.certificateFromAsn1(value);
  // node-forge keeps the decoded TBSCertificate and extension values and would repeat them.
  Reflect.set(again, 'tbsCertificate', null);
  again.setExtensions(again.extensions.map(withoutValue));
  expectBytes(pki.certificateToAsn1(again), der);
  return {
    kind: 'certificate, RSA',
    certificate: pki.certificateFromAsn1(value, true),
    publicKey: bytesOf(publicKey),
  };
}

/** The extensions that node-forge can encode from their flags and names; the subject key identifier is computed from the key. */
const encodable = new Set([
  'keyUsage',
  'basicConstraints',
  'extKeyUsage',
  'subjectAltName',
  'subjectKeyIdentifier',
]);

function withoutValue(extension: Readonly<Record<string, unknown>>): unknown {
  return encodable.has(String(extension['name'])) ? omitKeys(extension, ['value']) : extension;
}

function decodeRequest(value: Asn1, der: Buffer): Decoded {
  const request = pki.certificationRequestFromAsn1(value, true);
  if (!request.verify()) throw new Error('the signature of the request is wrong');
  const again = pki.certificationRequestFromAsn1(value);
  again.certificationRequestInfo = null;
  expectBytes(pki.certificationRequestToAsn1(again), der);
  return { kind: 'certificate request, RSA' };
}

function decodePkcs8(value: Asn1, der: Buffer): Decoded {
  // RFC 5958 §2: version, algorithm, the key in an octet string.
  const [, , key] = childrenOf(value);
  expectNested(key);
  // After the version, the members of PKCS#8 are those of a SubjectPublicKeyInfo: algorithm and key.
  if (!isRsa({ ...value, value: childrenOf(value).slice(1) })) return { kind: 'private key, ASN.1 only' };
  return decodeRsaKey(value, { der, encode: (rsaKey) => pki.wrapRsaPrivateKey(rsaKey) });
}

/** Checks that the numbers of an RSA key are consistent (RFC 8017 §3.2). */
function decodeRsaKey(
  value: Asn1,
  { der, encode }: { readonly der: Buffer; readonly encode: (rsaKey: Asn1) => Asn1 },
): Decoded {
  const key = pki.privateKeyFromAsn1(value);
  const { n, e, d, p, q, dP, dQ, qInv } = key;
  const one = forge.jsbn.BigInteger.ONE;
  const isSound =
    p.multiply(q).equals(n) &&
    [p, q].every((prime) => e.multiply(d).mod(prime.subtract(one)).equals(one)) &&
    d.mod(p.subtract(one)).equals(dP) &&
    d.mod(q.subtract(one)).equals(dQ) &&
    q.multiply(qInv).mod(p).equals(one);
  if (!isSound) throw new Error('the numbers of the key do not match');
  expectBytes(encode(pki.privateKeyToAsn1(key)), der);
  return { kind: 'private key, RSA', publicKey: bytesOf(pki.publicKeyToAsn1(pki.setRsaPublicKey(n, e))) };
}

function chainFault(certificate: Certificate, all: readonly Certificate[], at: Date): string | undefined {
  const chain = [certificate];
  for (let last = certificate; !last.isIssuer(last);) {
    const issuer = all.find((each) => last.isIssuer(each) && !chain.includes(each) && hasSigned(each, last));
    if (issuer === undefined) return 'none of the certificates has signed it';
    chain.push(issuer);
    last = issuer;
  }
  if (hasOtherKeyIdentifier(chain)) return 'its authority key identifier is not that of its issuer';
  try {
    pki.verifyCertificateChain(pki.createCaStore(chain.slice(-1)), chain, { validityCheckDate: at });
    return undefined;
  } catch (error) {
    return String((error as { readonly message?: unknown }).message);
  }
}

function hasSigned(issuer: Certificate, certificate: Certificate): boolean {
  try {
    return issuer.verify(certificate);
  } catch {
    return false;
  }
}

/** Reports if the authority key identifier of the first certificate differs from its issuer's key. A self-signed certificate has none. */
function hasOtherKeyIdentifier([certificate, issuer]: readonly Certificate[]): boolean {
  const extension = certificate?.getExtension('authorityKeyIdentifier') as { readonly value: string } | null;
  if (issuer === undefined || extension === null) return false;
  return !extension.value.endsWith(issuer.generateSubjectKeyIdentifier().getBytes());
}

function nameOf({ subject }: Certificate): string {
  return subject.attributes.map(({ value }) => String(value)).join(', ');
}

/** rsaEncryption (RFC 8017 §A.1) as the algorithm of a SubjectPublicKeyInfo. */
function isRsa(publicKey: Asn1): boolean {
  const [oid] = childrenOf(childrenOf(publicKey)[0]);
  return typeof oid?.value === 'string' && asn1.derToOid(oid.value) === pki.oids['rsaEncryption'];
}

function isRsaSignature(algorithm: Asn1 | undefined): boolean {
  const [oid] = childrenOf(algorithm);
  return typeof oid?.value === 'string' && /RSA/.test(pki.oids[asn1.derToOid(oid.value)] ?? '');
}

/** Strict DER. Rejects trailing bytes. */
function read(bytes: string): Asn1 {
  return asn1.fromDer(bytes, true);
}

/** The contents of an octet string must be DER too. */
function expectNested(octets: Asn1 | undefined): void {
  if (typeof octets?.value !== 'string') throw new Error('an octet string is missing');
  expectBytes(read(octets.value), Buffer.from(octets.value, 'latin1'));
}

function expectBytes(value: Asn1, der: Buffer): void {
  if (!bytesOf(value).equals(der)) throw new Error('node-forge serializes it differently');
}

function bytesOf(value: Asn1): Buffer {
  return Buffer.from(asn1.toDer(rebuilt(value)).getBytes(), 'latin1');
}

/** Without the bytes of bit strings, which node-forge keeps and would repeat. */
function rebuilt({ tagClass, type, constructed, value }: Asn1): Asn1 {
  return asn1.create(
    tagClass,
    type,
    constructed,
    typeof value === 'string' ? value : value.map((each) => rebuilt(each)),
  );
}

function childrenOf(value: Asn1 | undefined): readonly Asn1[] {
  return value === undefined || typeof value.value === 'string' ? [] : value.value;
}
