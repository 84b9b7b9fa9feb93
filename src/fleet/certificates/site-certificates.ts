import type { OutputFile } from '../../core/output-file.js';
import type { Problem } from '../../core/problem.js';
import { listCertificateDates } from '../../review/certificates/dated-certificates.js';
import { nameOf } from '../../review/certificates/remaining-time.js';

/** Reported properties of a certificate. */
export interface SiteCertificate {
  /** Name in the certificate catalog; otherwise the subject. */
  readonly name: string;
  /** Purpose of a certificate of the catalog. */
  readonly use?: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
}

/** Certificates in the outputs of a site, each once. Warnings: certs/unreadable. */
export interface SiteCertificates {
  /** Sorted by expiry. */
  readonly certificates: readonly SiteCertificate[];
  readonly problems: readonly Problem[];
}

/** Finds certificates anywhere in the outputs. */
export function certificatesIn(files: readonly OutputFile[]): SiteCertificates {
  const searched = files.map(({ path, contents }) => ({ path, bytes: Buffer.from(contents) }));
  const { certificates, warnings } = listCertificateDates(searched);
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
