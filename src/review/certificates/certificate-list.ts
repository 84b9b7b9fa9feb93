import { createPrivateKey, createPublicKey, type X509Certificate } from 'node:crypto';

import { byCodeUnit } from '../../core/compare.js';
import { problem, type Problem } from '../../core/problem.js';
import { digestOfKey } from '../key-facts.js';
import { piecesOf } from '../config-pieces.js';
import {
  factsOfCertificate,
  isSignedBy,
  readCertificate,
  type CertificateFacts,
} from './certificate-facts.js';
import { findPem } from './find-pem.js';
import { knownUse, type KnownUse } from './known-use.js';

/** A file to look through. */
export interface SearchedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Where a certificate or a key lies. */
export interface CertificatePlace {
  readonly file: string;
  /** Within an Ignition config: the path on the node. */
  readonly inside?: string;
  /** Within YAML or JSON: the field. */
  readonly field?: string;
}

/** A certificate, wherever it lies. */
export interface ListedCertificate {
  readonly facts: CertificateFacts;
  /** The certificate among the listed ones whose key signed it; itself where it did. Absent where that is not among them. */
  readonly signer?: CertificateFacts;
  /** What it is for, where it is one of the catalogs. */
  readonly known?: KnownUse;
  /** In order of the files. */
  readonly places: readonly CertificatePlace[];
  /** Where its private key lies. */
  readonly keyPlaces: readonly CertificatePlace[];
}

/** What was found in files. */
export interface CertificateList {
  /** The one that ends first comes first. */
  readonly certificates: readonly ListedCertificate[];
  /** Warnings: certs/unreadable. */
  readonly warnings: readonly Problem[];
}

interface Found {
  readonly certificate: X509Certificate;
  readonly facts: CertificateFacts;
  readonly places: CertificatePlace[];
  /** Paths on the node, or of files, whose first certificate it is. */
  readonly paths: string[];
}

/** Every certificate of files: of PEM and DER, of YAML and JSON, and of Ignition configs with all they put on a node. */
export function listCertificates(files: readonly SearchedFile[]): CertificateList {
  const found = new Map<string, Found>();
  const keys = new Map<string, CertificatePlace[]>();
  const warnings: Problem[] = [];
  for (const { path, bytes } of files) {
    for (const piece of piecesOf(bytes)) {
      const reading = piece.inside === '' && isDer(piece.bytes) ? readDer(piece.bytes) : readPem(piece.bytes);
      const placeOf = (field: string): CertificatePlace => ({
        file: path,
        ...(piece.inside !== '' && { inside: piece.inside }),
        ...(field !== '' && { field }),
      });
      reading.certificates.forEach(({ certificate, field }, index) => {
        const facts = factsOfCertificate(certificate);
        const entry = found.get(facts.sha256) ?? { certificate, facts, places: [], paths: [] };
        found.set(facts.sha256, entry);
        entry.places.push(placeOf(field));
        if (index === 0) entry.paths.push(piece.inside === '' ? path : piece.inside);
      });
      for (const { sha256, field } of reading.keys) {
        keys.set(sha256, [...(keys.get(sha256) ?? []), placeOf(field)]);
      }
      warnings.push(...reading.broken.map((field) => unreadableCertificate(placeOf(field))));
    }
  }
  const all = [...found.values()];
  return { certificates: all.map((each) => listed(each, all, keys)).toSorted(byEnd), warnings };
}

function listed(
  { certificate, facts, places, paths }: Found,
  all: readonly Found[],
  keys: ReadonlyMap<string, readonly CertificatePlace[]>,
): ListedCertificate {
  // An authority that was issued again signs with the same key: the one that holds longest counts.
  const signer = all
    .filter((each) => isSignedBy(certificate, each.certificate))
    .toSorted((left, right) => byCodeUnit(right.facts.notAfter, left.facts.notAfter))
    .at(0)?.facts;
  const known = knownUse({ facts, paths });
  return {
    facts,
    ...(signer && { signer }),
    ...(known && { known }),
    places,
    keyPlaces: keys.get(facts.key?.sha256 ?? '') ?? [],
  };
}

function byEnd({ facts: left }: ListedCertificate, { facts: right }: ListedCertificate): number {
  return (
    Date.parse(left.notAfter) - Date.parse(right.notAfter) ||
    byCodeUnit(left.subject, right.subject) ||
    byCodeUnit(left.sha256, right.sha256)
  );
}

interface PieceReading {
  readonly certificates: readonly { readonly certificate: X509Certificate; readonly field: string }[];
  readonly keys: readonly { readonly sha256: string; readonly field: string }[];
  /** Fields of certificates that cannot be read. */
  readonly broken: readonly string[];
}

/** A sequence of more than 127 bytes. Source: X.690 §8.1.3 */
function isDer(bytes: Buffer): boolean {
  return bytes[0] === 0x30 && ((bytes[1] ?? 0) & 0x80) !== 0;
}

function readDer(bytes: Buffer): PieceReading {
  const certificate = readCertificate(bytes);
  return { certificates: certificate ? [{ certificate, field: '' }] : [], keys: [], broken: [] };
}

function readPem(bytes: Buffer): PieceReading {
  const { blocks, cutOff } = findPem(bytes);
  const certificates = blocks
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ pem, field }) => ({ certificate: readCertificate(pem), field }));
  return {
    certificates: certificates.flatMap(({ certificate, field }) =>
      certificate ? [{ certificate, field }] : [],
    ),
    keys: blocks.flatMap(({ label, pem, field }) => {
      const sha256 = label.endsWith('PRIVATE KEY') ? digestOfPublicHalf(pem) : undefined;
      return sha256 === undefined ? [] : [{ sha256, field }];
    }),
    broken: [...certificates.flatMap(({ certificate, field }) => (certificate ? [] : [field])), ...cutOff],
  };
}

function digestOfPublicHalf(pem: string): string | undefined {
  try {
    return digestOfKey(createPublicKey(createPrivateKey(pem)));
  } catch {
    return undefined;
  }
}

/** How a place is written: `aio.ign:/etc/kubernetes/pki/api.crt (field)`. */
export function placeText({ file, inside, field }: CertificatePlace): string {
  const path = inside === undefined ? file : `${file}:${inside}`;
  return field === undefined ? path : `${path} (${field})`;
}

/** That a certificate cannot be read. Warnings: certs/unreadable. */
export function unreadableCertificate({ file, inside, field }: CertificatePlace): Problem {
  const within = [inside, field].filter((each) => each !== undefined).join(', ');
  const message = `a certificate${within === '' ? '' : ` in ${within}`} cannot be read`;
  return problem('certs/unreadable', message, {
    at: { file },
    hint: 'it is cut off, or no certificate: copy it again',
  });
}
