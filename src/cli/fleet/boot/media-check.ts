import type { Problem } from '../../../core/problem.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import type { BootSite } from '../../../fleet/boot/boot-targets.js';
import { refusedMedium } from '../../../fleet/boot/machine-problems.js';
import { neededStdin } from '../../../fleet/build/fleet-options.js';
import { fleetStatusOf, type SiteStatus } from '../../../fleet/build/fleet-status.js';
import type { GlobalOptions } from '../../options.js';
import { openRequestedFleet, siteOptions } from '../fleet-request.js';
import { statusWords } from '../fleet-status.js';

/** Time for which a comparison of all sites with their inputs is used again. */
const freshMs = 10 * 60_000;

export interface MediaCheckOptions {
  readonly allowOutdated?: true;
}

/**
 * Returns a function that tells why the medium of a site must not be booted now. The fleet is read again every ten minutes, because a
 * rollout lasts longer than media do. A site without outputs here has its medium from elsewhere; it is not judged.
 */
export function mediumFaults(
  options: GlobalOptions & MediaCheckOptions,
  { usableMs, nowMs = Date.now }: { readonly usableMs: number; readonly nowMs?: () => number },
): (site: string) => string | undefined {
  let last: { readonly atMs: number; readonly faultOf: (site: string) => string | undefined } | undefined;
  return (site) => {
    if (last === undefined || nowMs() - last.atMs > freshMs)
      last = { atMs: nowMs(), faultOf: currentFaults(options, usableMs) };
    return last.faultOf(site);
  };
}

function currentFaults(
  options: GlobalOptions & MediaCheckOptions,
  usableMs: number,
): (site: string) => string | undefined {
  const opened = openRequestedFleet({ dir: options.dir });
  if (!opened.ok) return () => `the fleet cannot be read: ${opened.problems[0]?.message ?? ''}`;
  const { value: fleet } = opened;
  const keys = { identities: [], passphrases: [] };
  const order = siteOptions(options, fleet, { keys, ...neededStdin(fleet, standardInput()) });
  const statuses = new Map(fleetStatusOf(fleet, order).sites.map((each) => [each.name, each]));
  return (site) => {
    const status = statuses.get(site);
    return status === undefined
      ? 'the table has no such site any more'
      : mediumFault(status, {
          until: new Date(Date.now() + usableMs),
          allowsOutdated: options.allowOutdated === true,
        });
  };
}

/** Why a medium must not be booted, as the end of a sentence; undefined if it may be, or if there are no outputs. */
export function mediumFault(
  status: SiteStatus,
  { until, allowsOutdated }: { readonly until: Date; readonly allowsOutdated: boolean },
): string | undefined {
  const { status: freshness, reason, facts } = status;
  const end = facts.bootableUntil;
  if (end === undefined) return undefined;
  if (reason === 'certificates-not-valid' || new Date(end) < until)
    return `its medium has certificates that expire at ${rfc3339(new Date(end))}`;
  return freshness === 'current' || allowsOutdated
    ? undefined
    : `its medium is outdated (${statusWords(status)})`;
}

/** Problems: boot/outdated. */
export function mediaProblems(
  sites: readonly BootSite[],
  faultOf: (site: string) => string | undefined,
): readonly Problem[] {
  return sites.flatMap((site) => {
    const fault = faultOf(site.name);
    return fault === undefined ? [] : [refusedMedium(site, fault)];
  });
}
