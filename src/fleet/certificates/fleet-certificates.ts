import { certificateReader } from './certificate-reader.js';
import { join } from 'node:path';

import { GroupedProblems, type FleetProblem } from '../problems/grouped-problems.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import type { SiteRow } from '../table/site-table.js';
import type { AgeKeys } from '../../formats/age.js';
import { inOrder, type Workers } from '../threads/in-order.js';
import { workersFor } from '../threads/workers.js';
import { valuesOf } from '../table/site-placeholders.js';
import { secretVariables } from '../review/secret-variables.js';
import { GroupedCertificates } from './grouped-certificates.js';
import type { FleetCertificates } from './show-certificates.js';
import type { SiteCertificates } from './site-certificates.js';

/** Options of the search for certificates in a fleet's outputs. */
export interface CertificateSearch {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly keys: AgeKeys;
  /** Threads. */
  readonly jobs: number;
  readonly now: Date;
  /** Certificates that expire within this time are marked `ends-soon`; a negative value marks none. */
  readonly withinMs: number;
  readonly onSite: (done: number) => void;
}

export interface FoundCertificates {
  readonly found: FleetCertificates;
  /** Each once, with all sites that have it. */
  readonly problems: readonly FleetProblem[];
}

/**
 * Reads the certificates in the outputs of all selected sites. A site whose outputs cannot be read is reported, and the others are still
 * read. Problems: those of `readSiteOutputs`, certs/none. Warnings: certs/unreadable.
 */
export async function fleetCertificates(
  read: LoadedFleet,
  search: CertificateSearch,
): Promise<FoundCertificates> {
  const order = { keys: search.keys };
  const workers = workersFor(
    { items: read.rows.length, jobs: search.jobs },
    () => ({ task: 'certificates', order }),
    () => certificateReader(order),
  );
  return groupCertificates(read, workers, search).finally(workers.close);
}

async function groupCertificates(
  read: LoadedFleet,
  workers: Workers<string, SiteCertificates>,
  { dir, now, withinMs, onSite }: CertificateSearch,
): Promise<FoundCertificates> {
  const secret = secretVariables(read);
  const sites = read.rows.map((row) => ({ name: row.name, values: valuesOf(row, secret) }));
  const grouped = new GroupedCertificates(sites, { now, withinMs });
  const problems = new GroupedProblems();
  const certificatesOf = ({ name }: SiteRow): Promise<SiteCertificates> =>
    workers.run(join(dir, read.fleet.outputs, name));
  let done = 0;
  for await (const [{ name }, ofSite] of inOrder(read.rows, workers.atOnce, certificatesOf)) {
    problems.add(name, ofSite.problems);
    if (ofSite.certificates.length > 0) grouped.add(done, ofSite.certificates);
    done += 1;
    onSite(done);
  }
  const names = sites.map(({ name }) => name);
  const found = { groups: grouped.groups(), ends: grouped.ends(), sites: names, now };
  return { found, problems: problems.list() };
}
