import type { Problem } from '../../core/problem.js';
import { oneLine, timeIn } from '../key-facts.js';
import { piecesOf } from '../config-pieces.js';
import { renderText } from '../render-text.js';
import { byExpiry, readCertificate, type CertificateFacts } from './certificate-facts.js';
import { unreadableCertificate, type SearchedFile } from './certificate-list.js';
import { findPem } from './find-pem.js';
import { knownPurpose, type KnownPurpose } from './known-purpose.js';

/** A certificate with its names and validity only. */
export interface DatedCertificate {
  readonly facts: Pick<CertificateFacts, 'subject' | 'issuer' | 'isCa' | 'notBefore' | 'notAfter' | 'sha256'>;
  /** Its purpose, if it is in the catalog. */
  readonly known?: KnownPurpose;
}

export interface CertificateDates {
  /** Distinct certificates, sorted by expiry, earliest first. */
  readonly certificates: readonly DatedCertificate[];
  /** Warnings: certs/unreadable. */
  readonly warnings: readonly Problem[];
}

/**
 * Lists the PEM certificates of files, with names and validity. A faster variant of `listCertificates`: it reads no keys and
 * checks no signatures.
 */
export function listCertificateDates(files: readonly SearchedFile[]): CertificateDates {
  const found = new Map<string, { readonly facts: DatedCertificate['facts']; readonly paths: string[] }>();
  const warnings: Problem[] = [];
  const factsOf = rememberingFacts();
  for (const { path, bytes } of files) {
    for (const { inside, bytes: piece } of piecesOf(bytes)) {
      const { blocks, cutOff } = findPem(piece);
      const broken: string[] = [];
      const ofPiece = blocks
        .filter(({ label }) => label === 'CERTIFICATE')
        .flatMap(({ pem, field }) => {
          const facts = factsOf(pem);
          if (facts === undefined) broken.push(field);
          return facts ?? [];
        });
      for (const [index, facts] of ofPiece.entries()) {
        const known = found.get(facts.sha256) ?? { facts, paths: [] };
        found.set(facts.sha256, known);
        if (index === 0) known.paths.push(inside === '' ? path : inside);
      }
      const where = { file: path, ...(inside !== '' && { inside }) };
      for (const field of [...broken, ...cutOff])
        warnings.push(unreadableCertificate({ ...where, ...(field !== '' && { field }) }));
    }
  }
  const certificates = [...found.values()].map(({ facts, paths }): DatedCertificate => {
    const known = knownPurpose({ facts, paths });
    return { facts, ...(known && { known }) };
  });
  return { certificates: certificates.toSorted(byExpiry), warnings };
}

/** Parses each PEM text once, because the same CA is in many bundles. */
function rememberingFacts(): typeof factsOfPem {
  const known = new Map<string, ReturnType<typeof factsOfPem>>();
  return (pem) => {
    const facts = known.get(pem) ?? factsOfPem(pem);
    known.set(pem, facts);
    return facts;
  };
}

function factsOfPem(pem: string): DatedCertificate['facts'] | undefined {
  const certificate = readCertificate(pem);
  return (
    certificate && {
      subject: renderText(oneLine(certificate.subject)),
      issuer: renderText(oneLine(certificate.issuer)),
      isCa: certificate.ca,
      notBefore: timeIn(certificate.validFrom),
      notAfter: timeIn(certificate.validTo),
      sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    }
  );
}
