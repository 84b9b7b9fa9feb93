import type { IssuingCertificate } from '../../formats/keys/issuing-certificate.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { ReplaceableSigner } from '../../config/schema/replaceable-signers.js';
import type { NameFacts } from '../installer-catalog.js';
import { nameConstraintFault } from './name-constraints.js';
import { depthBelow, hostnamesBelow, signerUsages } from './user-authority.js';

/** Requirements on a user-supplied CA. */
export interface AuthorityUse {
  readonly signers: readonly ReplaceableSigner[];
  /** Start of the period in which the CA must be valid. */
  readonly from: Date;
  readonly until: Date;
  /** Absent if the cluster is not known. */
  readonly names?: NameFacts;
}

/** A fault of one certificate in a chain. */
export interface ChainFault {
  /** Position in the chain, from 0. */
  readonly index: number;
  /** Predicate of a sentence whose subject is the certificate. */
  readonly fault: string;
  readonly hint?: string;
}

/** All faults that invalidate certificates issued below this chain, in chain order from the issuing CA upwards. */
export function chainFaults(chain: readonly IssuingCertificate[], use: AuthorityUse): readonly ChainFault[] {
  return chain.flatMap((certificate, index) => [
    ...[
      ...caFaults(certificate),
      ...weaknessFaults(certificate),
      ...validityFaults(certificate, use),
      ...linkFaults(certificate, chain[index + 1]),
    ].map((fault) => ({ index, fault })),
    ...[...pathLengthFaults(certificate, depthOf(use) + index), ...constraintFaults(certificate, use)].map(
      (fault) => ({
        index,
        fault,
        hint: 'list in certificates.authority.signs only signers that it may issue',
      }),
    ),
  ]);
}

function depthOf({ signers }: AuthorityUse): number {
  return Math.max(...signers.map(depthBelow));
}

function caFaults({ isCa, maySignCertificates }: IssuingCertificate): readonly string[] {
  if (!isCa) return ['is not a CA certificate (basicConstraints)'];
  return maySignCertificates === false ? ['may not sign certificates (keyUsage without keyCertSign)'] : [];
}

/** `below`: number of CAs below this one on the longest path to a leaf. */
function pathLengthFaults({ isCa, pathLength }: IssuingCertificate, below: number): readonly string[] {
  if (!isCa || pathLength === undefined || pathLength >= below) return [];
  const authorities = below === 1 ? 'authority stands' : 'authorities stand';
  return [`has a path length of ${pathLength}, and ${below} ${authorities} below it`];
}

/** Minimum RSA size of FIPS 186-5 §5.1. Go's crypto/x509 rejects MD5 and SHA-1 for every key type. */
const minRsaBits = 2048;

function weaknessFaults({ x509, hasWeakSignature, isSelfIssued }: IssuingCertificate): readonly string[] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = x509.publicKey;
  const bits = details?.modulusLength ?? 0;
  return [
    // Nothing verifies the signature of a root.
    ...(hasWeakSignature && !isSelfIssued ? ['is signed with SHA-1 or MD5, which Go rejects'] : []),
    ...(type === 'rsa' && bits < minRsaBits
      ? [`has an RSA key of ${bits} bits, at least ${minRsaBits} are required`]
      : []),
  ];
}

function validityFaults({ x509 }: IssuingCertificate, { from, until }: AuthorityUse): readonly string[] {
  const [notBefore, end] = [new Date(x509.validFrom), new Date(x509.validTo)];
  if (notBefore > from) return [`begins at ${rfc3339(notBefore)} only, after ${rfc3339(from)}`];
  return end < until ? [`ends at ${rfc3339(end)}, and certificates.validity asks for ${rfc3339(until)}`] : [];
}

const proofs = { serverAuth: 'servers', clientAuth: 'clients' } as const;

/** Go's crypto/x509 applies extended key usages and name constraints of every CA in the chain to the leaf. */
function constraintFaults(
  certificate: IssuingCertificate,
  { signers, names }: AuthorityUse,
): readonly string[] {
  const { extendedUsages, permitted, excluded } = certificate;
  const wanted = [...new Set(signers.flatMap(signerUsages))];
  const refused =
    extendedUsages === undefined || extendedUsages.includes('any')
      ? []
      : wanted.filter((usage) => !extendedUsages.includes(usage));
  const hostnames = names === undefined ? [] : hostnamesBelow(signers, names);
  return [
    ...refused.map((usage) => `is not valid for CAs of ${proofs[usage]} (extendedKeyUsage without ${usage})`),
    ...[nameConstraintFault(hostnames, { permitted, excluded })].filter((fault) => fault !== undefined),
  ];
}

function linkFaults(
  { x509, isSelfIssued }: IssuingCertificate,
  next: IssuingCertificate | undefined,
): readonly string[] {
  if (next === undefined) return [];
  if (isSelfIssued) return ['is self-signed but not the last one: the root must be last'];
  const isSigned = x509.checkIssued(next.x509) && x509.verify(next.x509.publicKey);
  return isSigned ? [] : ['is not signed by the next one: order the chain from the CA to the root'];
}
