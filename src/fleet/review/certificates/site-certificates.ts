import type { OutputFile } from '../../../core/output-file.js';
import type { Problem } from '../../../core/problem.js';
import { datedCertificates } from '../../../review/certificates/dated-certificates.js';
import { nameOf } from '../../../review/certificates/time-left.js';

/** What is told of a certificate of a site. */
export interface SiteCertificate {
  /** That of the catalogs, or its subject. */
  readonly name: string;
  /** What it is for, where it is one of the catalogs. */
  readonly use?: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
}

/** Certificates in the outputs of a site, each once, and warnings: certs/unreadable. */
export interface SiteCertificates {
  /** The one that ends first comes first. */
  readonly certificates: readonly SiteCertificate[];
  readonly problems: readonly Problem[];
}

/** The certificates in outputs, wherever in them they stand. */
export function certificatesIn(files: readonly OutputFile[]): SiteCertificates {
  const searched = files.map(({ path, contents }) => ({ path, bytes: Buffer.from(contents) }));
  const { certificates, warnings } = datedCertificates(searched);
  return {
    certificates: certificates.map((each) => ({
      name: nameOf(each),
      ...(each.known && { use: each.known.use }),
      notBefore: each.facts.notBefore,
      notAfter: each.facts.notAfter,
    })),
    problems: warnings,
  };
}
