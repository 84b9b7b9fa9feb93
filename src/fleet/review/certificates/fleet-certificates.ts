import { join } from 'node:path';

import { isError, problem, type Problem } from '../../../core/problem.js';
import type { StateAccess } from '../../../disk/state/state-access.js';
import { GroupedProblems, type FleetProblem } from '../../grouped-problems.js';
import type { ReadFleet } from '../../judge-fleet.js';
import { accessWith } from '../../making/access-with-keys.js';
import type { SiteRow } from '../../site-table.js';
import type { AgeKeys } from '../../../formats/age.js';
import { inOrder } from '../../../run/threads/in-order.js';
import type { Workers } from '../../../run/threads/workers.js';
import { siteOutputs } from '../outputs/site-outputs.js';
import { valuesOf } from '../own-values.js';
import { secretVariables } from '../secret-variables.js';
import { GroupedCertificates } from './grouped-certificates.js';
import type { FleetCertificates } from './show-certificates.js';
import { certificatesIn, type SiteCertificates } from './site-certificates.js';

/** How the certificates of a fleet are looked for. */
export interface CertificateSearch {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly workers: Workers<string, SiteCertificates>;
  readonly now: Date;
  /** What ends within so many milliseconds ends soon; less than nothing where nobody asks. */
  readonly withinMs: number;
  readonly onSite?: (done: number) => void;
}

/** What came of it. */
export interface FoundCertificates {
  readonly found: FleetCertificates;
  /** Each once, for all sites that have it. */
  readonly problems: readonly FleetProblem[];
}

/**
 * The certificates in the outputs of every site that is asked for; of one whose outputs cannot be read that is
 * told, and others are looked at. Problems: those of `siteOutputs`, certs/none. Warnings: certs/unreadable.
 */
export async function fleetCertificates(
  read: ReadFleet,
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

/** What opens outputs that are encrypted. */
export interface CertificatesOrder {
  readonly keys: AgeKeys;
}

/** Reads the certificates in the folder of one site after the other. */
export function certificateReader({ keys }: CertificatesOrder): (dir: string) => Promise<SiteCertificates> {
  const access = accessWith(keys);
  return (dir) => siteCertificates(dir, access);
}

async function siteCertificates(dir: string, access: StateAccess): Promise<SiteCertificates> {
  const { files, problems } = await siteOutputs(dir, access);
  const { certificates, problems: warnings } = certificatesIn(files);
  const isLacking = certificates.length === 0 && !problems.some(isError);
  return {
    certificates,
    problems: [...problems, ...warnings.map(inMessage), ...(isLacking ? [none()] : [])],
  };
}

/** The output stands in the message: whose it is, the sites say. */
function inMessage({ at, ...found }: Problem): Problem {
  return at === undefined ? found : { ...found, message: `${at.file}: ${found.message}` };
}

function none(): Problem {
  return problem('certs/none', 'there is no certificate in the outputs of this site', {
    hint: 'look at them by `sno-install inspect`',
  });
}
