import type { Problem } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import type { BootSite } from './boot-targets.js';
import { refusedMedium } from './machine-problems.js';
import type { SiteStatus } from '../build/fleet-status.js';
import { fleetStatusNow, openRequestedFleet } from '../build/fleet-request.js';
import { statusWords } from '../build/status-words.js';

/** Time for which a comparison of all sites with their inputs is used again. */
const freshMs = 10 * 60_000;

export interface MediaCheckOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly allowOutdated?: true;
  readonly surroundings: Surroundings;
}

/**
 * Returns a function that tells why the medium of a site must not be booted now. The fleet is read again every ten minutes, because a
 * rollout lasts longer than media do. A site without outputs here has its medium from elsewhere; it is not judged.
 */
export function mediumFaults(
  options: MediaCheckOptions,
  { usableMs }: { readonly usableMs: number },
): (site: string) => string | undefined {
  let last: { readonly atMs: number; readonly faultOf: (site: string) => string | undefined } | undefined;
  return (site) => {
    const nowMs = options.surroundings.present().getTime();
    if (last === undefined || nowMs - last.atMs > freshMs)
      last = { atMs: nowMs, faultOf: currentFaults(options, usableMs) };
    return last.faultOf(site);
  };
}

function currentFaults(options: MediaCheckOptions, usableMs: number): (site: string) => string | undefined {
  const { dir, surroundings } = options;
  const opened = openRequestedFleet({ dir }, surroundings);
  if (!opened.ok) return () => `the fleet cannot be read: ${opened.problems[0]?.message ?? ''}`;
  const { value: fleet } = opened;
  const { sites } = fleetStatusNow({ dir, surroundings }, fleet);
  const statuses = new Map(sites.map((each) => [each.name, each]));
  return (site) => {
    const status = statuses.get(site);
    return status === undefined
      ? 'the table has no such site any more'
      : mediumFault(status, {
          until: new Date(surroundings.present().getTime() + usableMs),
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
