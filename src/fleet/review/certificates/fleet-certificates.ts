import { join } from 'node:path';

import { isError, problem, type Problem } from '../../../core/problem.js';
import type { StateAccess } from '../../../disk/state/state-access.js';
import { GroupedProblems, type FleetProblem } from '../../grouped-problems.js';
import type { LoadedFleet } from '../../check-fleet.js';
import { stateAccessWithKeys } from '../../build/access-with-keys.js';
import type { SiteRow } from '../../site-table.js';
import type { AgeKeys } from '../../../formats/age.js';
import { inOrder, type Workers } from '../../threads/in-order.js';
import { readSiteOutputs } from '../outputs/site-outputs.js';
import { valuesOf } from '../site-placeholders.js';
import { secretVariables } from '../secret-variables.js';
import { GroupedCertificates } from './grouped-certificates.js';
import type { FleetCertificates } from './show-certificates.js';
import { certificatesIn, type SiteCertificates } from './site-certificates.js';

/** Options of the search for certificates in a fleet's outputs. */
export interface CertificateSearch {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly workers: Workers<string, SiteCertificates>;
  readonly now: Date;
  /** Certificates that expire within this time are marked `ends-soon`; a negative value marks none. */
  readonly withinMs: number;
  readonly onSite?: (done: number) => void;
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
  const { dir, workers, now, withinMs, onSite = () => undefined } = search;
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

/** Keys that decrypt encrypted outputs. */
export interface CertificateReaderOptions {
  readonly keys: AgeKeys;
}

/** Returns a function that reads the certificates in a site's folder. */
export function certificateReader({
  keys,
}: CertificateReaderOptions): (dir: string) => Promise<SiteCertificates> {
  const access = stateAccessWithKeys(keys);
  return (dir) => siteCertificates(dir, access);
}

async function siteCertificates(dir: string, access: StateAccess): Promise<SiteCertificates> {
  const { files, problems } = await readSiteOutputs(dir, access);
  const { certificates, problems: warnings } = certificatesIn(files);
  const isWithoutCertificates = certificates.length === 0 && !problems.some(isError);
  return {
    certificates,
    problems: [...problems, ...warnings.map(inMessage), ...(isWithoutCertificates ? [none()] : [])],
  };
}

/** Moves the output's path into the message, since the place of a grouped problem is the site. */
function inMessage({ at, ...found }: Problem): Problem {
  return at === undefined ? found : { ...found, message: `${at.file}: ${found.message}` };
}

function none(): Problem {
  return problem('certs/none', 'no certificate found in the outputs of this site', {
    hint: 'list the outputs with `sno-install inspect`',
  });
}
