import { bitString, contentsOf, membersOf, sequence, unsignedInteger } from './der.js';
import { isStandInKey } from './stand-in-key.js';

/** What can be told of a stand-in for a key. */
export interface StandIn {
  /** As node:crypto would call the key: `rsa-2048`, `ec-prime256v1`. */
  readonly kind: string;
  /** SubjectPublicKeyInfo. */
  readonly publicDer: Buffer;
}

/** The stand-in in a certificate, a private key (PKCS#8) or a public one; undefined for anything else. */
export function readStandIn(label: string, der: Buffer): StandIn | undefined {
  try {
    const publicDer = publicPart(label, membersOf(contentsOf(der)));
    return publicDer !== undefined && isStandInKey(publicDer)
      ? { kind: kindOf(publicDer), publicDer }
      : undefined;
  } catch {
    return undefined;
  }
}

function publicPart(label: string, members: readonly Buffer[]): Buffer | undefined {
  const [first, second, third] = members;
  // RFC 5280 §4.1: version, serial number, algorithm, issuer, validity, subject, key.
  if (label === 'CERTIFICATE') return first && membersOf(contentsOf(first))[6];
  if (label.endsWith('PUBLIC KEY')) return first && sequence(...members);
  // RFC 5958 §2: version, algorithm, the key in an octet string.
  return second && third && publicHalf(second, membersOf(contentsOf(contentsOf(third))));
}

/** RFC 8017 §A.1.2: version, modulus, exponent. RFC 5915 §3: version, scalar, `[1]` with the point. */
function publicHalf(algorithm: Buffer, [, second, third]: readonly Buffer[]): Buffer | undefined {
  if (second === undefined || third === undefined) return undefined;
  const isPoint = third[0] === 0xa1;
  return sequence(algorithm, isPoint ? contentsOf(third) : bitString(sequence(second, third)));
}

function kindOf(publicDer: Buffer): string {
  const bits = contentsOf(membersOf(contentsOf(publicDer))[1] ?? unsignedInteger(Buffer.of(0))).subarray(1);
  // 4 begins a point (RFC 5480 §2.2), 0x30 the numbers of an RSA key, the first of which has a sign byte.
  if (bits[0] === 4) return bits.length > 1 + 2 * 32 ? 'ec-secp384r1' : 'ec-prime256v1';
  const [modulus = Buffer.alloc(0)] = membersOf(contentsOf(bits));
  return `rsa-${(contentsOf(modulus).length - 1) * 8}`;
}
