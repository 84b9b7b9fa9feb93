import { createPrivateKey, createPublicKey, type X509Certificate } from 'node:crypto';

import { byCodeUnit } from '../../core/compare.js';
import { problem, type Problem } from '../../core/problem.js';
import { digestOfKey } from '../key-facts.js';
import { piecesOf } from '../config-pieces.js';
import {
  byExpiry,
  factsOfCertificate,
  isSignedBy,
  readCertificate,
  type CertificateFacts,
} from './certificate-facts.js';
import { findPem } from './find-pem.js';
import { knownPurpose, type KnownPurpose } from './known-purpose.js';

export interface SearchedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The location of a certificate or key. */
export interface CertificatePlace {
  readonly file: string;
  /** The path on the node, within an Ignition config. */
  readonly inside?: string;
  /** The field, within YAML or JSON. */
  readonly field?: string;
}

/** A distinct certificate with all its locations. */
export interface ListedCertificate {
  readonly facts: CertificateFacts;
  /** The listed certificate whose key signed this one; itself if self-signed. Absent if the signer is not listed. */
  readonly signer?: CertificateFacts;
  /** Its purpose, if it is in the catalog. */
  readonly known?: KnownPurpose;
  /** In order of the files. */
  readonly places: readonly CertificatePlace[];
  /** The locations of its private key. */
  readonly keyPlaces: readonly CertificatePlace[];
}

export interface CertificateList {
  /** Sorted by expiry, earliest first. */
  readonly certificates: readonly ListedCertificate[];
  /** Warnings: certs/unreadable. */
  readonly warnings: readonly Problem[];
}

interface Found {
  readonly certificate: X509Certificate;
  readonly facts: CertificateFacts;
  readonly places: CertificatePlace[];
  /** Node paths or file paths in which this certificate comes first. */
  readonly paths: string[];
}

/** Lists every certificate in PEM, DER, YAML and JSON files, and in Ignition configs with all files they contain. */
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
  return { certificates: all.map((each) => listed(each, all, keys)).toSorted(byExpiry), warnings };
}

function listed(
  { certificate, facts, places, paths }: Found,
  all: readonly Found[],
  keys: ReadonlyMap<string, readonly CertificatePlace[]>,
): ListedCertificate {
  // A renewed CA signs with the same key. Prefer the CA that expires last.
  const signer = all
    .filter((each) => isSignedBy(certificate, each.certificate))
    .toSorted((left, right) => byCodeUnit(right.facts.notAfter, left.facts.notAfter))
    .at(0)?.facts;
  const known = knownPurpose({ facts, paths });
  return {
    facts,
    ...(signer && { signer }),
    ...(known && { known }),
    places,
    keyPlaces: keys.get(facts.key?.sha256 ?? '') ?? [],
  };
}

interface PieceReading {
  readonly certificates: readonly { readonly certificate: X509Certificate; readonly field: string }[];
  readonly keys: readonly { readonly sha256: string; readonly field: string }[];
  /** Fields with an unreadable certificate. */
  readonly broken: readonly string[];
}

/** A DER SEQUENCE of more than 127 bytes. Source: X.690 §8.1.3 */
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

/** Formats a location: `aio.ign:/etc/kubernetes/pki/api.crt (field)`. */
export function placeText({ file, inside, field }: CertificatePlace): string {
  const path = inside === undefined ? file : `${file}:${inside}`;
  return field === undefined ? path : `${path} (${field})`;
}

/** Warnings: certs/unreadable. */
export function unreadableCertificate({ file, inside, field }: CertificatePlace): Problem {
  const within = [inside, field].filter((each) => each !== undefined).join(', ');
  const message = `cannot parse a certificate${within === '' ? '' : ` in ${within}`}`;
  return problem('certs/unreadable', message, {
    at: { file },
    hint: 'it is incomplete or not a certificate; copy it again',
  });
}
