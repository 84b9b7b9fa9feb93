import {
  fleetCertificates,
  expiryProblems,
  fleetCertificatesData,
  fleetCertificatesText,
  type FleetCertificates,
} from '../../../fleet/certificates/index.js';
import { fleetWide, type FleetProblem } from '../../../fleet/problems/index.js';
import { type LoadedFleet } from '../../../fleet/table/index.js';
import { problemsOf } from '../../../core/result.js';
import { validationTime } from '../../../run/effects/clock.js';
import { parseDuration } from '../../../formats/duration.js';
import type { CertsOptions, GlobalOptions } from '../../options.js';
import { report, reportResult } from '../../output/report.js';
import { siteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { usageError } from '../../usage-error.js';
import type { FleetOptions } from '../fleet-options.js';
import { openFleetOf } from '../open-fleet.js';
import { parseJobs, type JobsOption } from '../jobs-option.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';

type Options = GlobalOptions & FleetOptions & JobsOption & CertsOptions;

/**
 * Lists the certificates of the sites of a fleet, and groups those that expire on the same day in many sites. With --warn-before,
 * expired and soon expiring certificates are problems; the list is still printed.
 */
export async function listFleetCertificates(options: Options): Promise<void> {
  const { warnBefore } = options;
  const withinSeconds = warnBefore === undefined ? undefined : parseDuration(warnBefore);
  if (warnBefore !== undefined && withinSeconds === undefined) {
    usageError(
      options,
      '--warn-before is not a duration',
      'use whole numbers with units, such as 14d or 36h',
    );
    return;
  }
  const jobs = parseJobs(options);
  if (jobs === undefined) return;
  const now = validationTime(process.env, new Date());
  const keys = await stateAccess(options).keys();
  const opened = openFleetOf(options);
  if (!now.ok || !keys.ok || !opened.ok) {
    report(options, { problems: [now, keys, opened].flatMap(problemsOf) });
    return;
  }
  const { length } = opened.value.rows;
  const screen = siteProgress(options, length, process.stderr, 'reading sites');
  const { found, problems } = await fleetCertificates(opened.value, {
    dir: options.dir,
    keys: keys.value,
    jobs,
    now: now.value,
    withinMs: withinSeconds === undefined ? -Infinity : withinSeconds * 1000,
    onSite: screen.onSite,
  });
  screen.done();
  const expiring = withinSeconds === undefined ? [] : expiryProblems(found);
  reportCertificates(
    options,
    { opened: opened.value, found, problems: [...expiring, ...problems] },
    problemsOf(opened),
  );
}

interface Found {
  readonly opened: LoadedFleet;
  readonly found: FleetCertificates;
  readonly problems: readonly FleetProblem[];
}

function reportCertificates(
  options: Options,
  { opened, found, problems }: Found,
  ofFleet: Parameters<typeof report>[1]['problems'],
): void {
  const all = [...ofFleet.map(fleetWide), ...problems];
  reportResult(options, {
    problems: fleetProblemsShown(options, all, opened.rows.length),
    text: fleetCertificatesText(found),
    json: fleetCertificatesData(found),
  });
}
