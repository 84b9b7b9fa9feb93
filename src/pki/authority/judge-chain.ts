import type { IssuingCertificate } from '../../formats/keys/issuing-certificate.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { ReplaceableSigner } from '../../config/schema/replaceable-signers.js';
import type { NameFacts } from '../installers-catalog.js';
import { whyExcluded } from './name-constraints.js';
import { depthBelow, hostnamesBelow, proofOf } from './signers-below.js';

/** What is asked of an authority. */
export interface AuthorityUse {
  readonly signers: readonly ReplaceableSigner[];
  /** When it must hold. */
  readonly from: Date;
  readonly until: Date;
  /** Absent where the cluster is not known. */
  readonly names?: NameFacts;
}

/** What is wrong with one certificate of a chain. */
export interface ChainFault {
  /** Its place in the chain, from 0. */
  readonly index: number;
  /** The end of a sentence. */
  readonly fault: string;
  readonly hint?: string;
}

/** Everything that keeps certificates below this chain from being believed: the authority first, then what stands above it. */
export function chainFaults(chain: readonly IssuingCertificate[], use: AuthorityUse): readonly ChainFault[] {
  return chain.flatMap((certificate, index) => [
    ...[
      ...whyNoAuthority(certificate),
      ...whyWeak(certificate),
      ...whyNotThen(certificate, use),
      ...whyNoLink(certificate, chain[index + 1]),
    ].map((fault) => ({ index, fault })),
    ...[...whyNoRoom(certificate, depthOf(use) + index), ...whyRestricted(certificate, use)].map((fault) => ({
      index,
      fault,
      hint: 'name in certificates.authority.signs those signers alone that it may issue',
    })),
  ]);
}

function depthOf({ signers }: AuthorityUse): number {
  return Math.max(...signers.map(depthBelow));
}

function whyNoAuthority({ isCa, maySignCertificates }: IssuingCertificate): readonly string[] {
  if (!isCa) return ['is not one of a certificate authority (basicConstraints)'];
  return maySignCertificates === false ? ['may not sign certificates (keyUsage without keyCertSign)'] : [];
}

/** `below`: how many authorities stand below it on the longest way to a leaf. */
function whyNoRoom({ isCa, pathLength }: IssuingCertificate, below: number): readonly string[] {
  if (!isCa || pathLength === undefined || pathLength >= below) return [];
  const authorities = below === 1 ? 'authority stands' : 'authorities stand';
  return [`has a path length of ${pathLength}, and ${below} ${authorities} below it`];
}

/** What FIPS 186-5 §5.1 asks of RSA; Go's crypto/x509 refuses MD5 and SHA-1, whatever the key. */
const leastRsaBits = 2048;

function whyWeak({ x509, hasWeakSignature, isSelfIssued }: IssuingCertificate): readonly string[] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = x509.publicKey;
  const bits = details?.modulusLength ?? 0;
  return [
    // That of a root is verified by nobody.
    ...(hasWeakSignature && !isSelfIssued ? ['is signed with SHA-1 or MD5, which Go refuses'] : []),
    ...(type === 'rsa' && bits < leastRsaBits
      ? [`has an RSA key of ${bits} bits, of at least ${leastRsaBits}`]
      : []),
  ];
}

function whyNotThen({ x509 }: IssuingCertificate, { from, until }: AuthorityUse): readonly string[] {
  const [begin, end] = [new Date(x509.validFrom), new Date(x509.validTo)];
  if (begin > from) return [`begins at ${rfc3339(begin)} only, after ${rfc3339(from)}`];
  return end < until ? [`ends at ${rfc3339(end)}, and certificates.validity asks for ${rfc3339(until)}`] : [];
}

const proofs = { serverAuth: 'servers', clientAuth: 'clients' } as const;

/** Go's crypto/x509 asks each certificate of a chain for the usages, and for the names, of the leaf. */
function whyRestricted(certificate: IssuingCertificate, { signers, names }: AuthorityUse): readonly string[] {
  const { extendedUsages, permitted, excluded } = certificate;
  const wanted = [...new Set(signers.flatMap(proofOf))];
  const refused =
    extendedUsages === undefined || extendedUsages.includes('any')
      ? []
      : wanted.filter((usage) => !extendedUsages.includes(usage));
  const hostnames = names === undefined ? [] : hostnamesBelow(signers, names);
  return [
    ...refused.map(
      (usage) => `is not for authorities of ${proofs[usage]} (extendedKeyUsage without ${usage})`,
    ),
    ...[whyExcluded(hostnames, { permitted, excluded })].filter((fault) => fault !== undefined),
  ];
}

function whyNoLink(
  { x509, isSelfIssued }: IssuingCertificate,
  next: IssuingCertificate | undefined,
): readonly string[] {
  if (next === undefined) return [];
  if (isSelfIssued) return ['signs itself, and others stand behind it: the root is the last'];
  const isSigned = x509.checkIssued(next.x509) && x509.verify(next.x509.publicKey);
  return isSigned
    ? []
    : ['is not signed by the one behind it: the authority is the first, its issuer the next'];
}
