import type { Problem } from '../../core/problem.js';
import { timeLimit } from '../../core/time-limit.js';
import { recordOfMachine, type BootedSite, type SiteHardware } from './boot-record.js';
import type { BootSite } from './boot-targets.js';
import { runInParallel, type ParallelResults } from './run-in-parallel.js';
import { sitesOnHold } from '../table/site-row.js';
import type { BootRecordWriter } from './boot-record-writer.js';
import { bootSite, checkSite, ejectSite, type SiteBootResult } from './boot-site.js';
import { pause, type Pacing } from '../../remote/redfish/pacing.js';
import type { SiteBmcUser } from './visit-bmc.js';
import type { BootInputs } from './boot-inputs.js';
import type { BootSettings } from './boot-settings.js';
import type { BmcLimits } from './boot-settings.js';

/** Polling interval of a booting machine, and delay before a retry. */
const lookMs = 2000;
const retryMs = 1000;

/** The result of a site. */
export interface ReportedSite {
  readonly site: BootSite;
  readonly state: SiteBootResult['state'] | 'skipped' | 'not-started' | 'planned';
  readonly words: string;
  readonly problems?: readonly Problem[];
}

interface Planned {
  readonly site: BootSite;
  readonly user: SiteBmcUser | undefined;
  readonly url: string | undefined;
  readonly hardware: () => SiteHardware;
}

export interface PlannedVisits {
  readonly visits: readonly Planned[];
  readonly skipped: readonly ReportedSite[];
}

interface Visited extends Pick<BootSettings, 'mode'> {
  /** Whether booted sites are booted again. */
  readonly isAgain: boolean;
}

/** Selects the sites to visit, and returns the reason for each skipped site. */
export function planVisits(
  { fleet, sites, users, urls, hardwareOf }: BootInputs,
  known: (site: string) => BootedSite | undefined,
  { mode, isAgain }: Visited,
): PlannedVisits {
  const onHold = sitesOnHold(fleet.rows);
  const skippedSites = sites.flatMap((site): readonly ReportedSite[] => {
    const isHeld = onHold.has(site.name) && (mode === 'boot' || mode === 'dry-run');
    const words = isHeld
      ? 'on hold: holdInstallation of its ClusterInstance is true'
      : whyNot(site, known(site.name), { mode, isAgain });
    return words === undefined ? [] : [{ site, state: 'skipped', words }];
  });
  const skipped = new Set(skippedSites.map(({ site }) => site));
  const visits = sites
    .filter((site) => !skipped.has(site))
    .map((site): Planned => ({
      site,
      user: users?.(site.name),
      url: urls?.(site.name),
      hardware: () => hardwareOf(site.name),
    }));
  return { visits, skipped: skippedSites };
}

function whyNot(
  { address }: BootSite,
  recorded: BootedSite | undefined,
  { mode, isAgain }: Visited,
): string | undefined {
  if (mode === 'check') return undefined;
  const known = recordOfMachine(recorded, address);
  if (mode === 'eject' && known === undefined && recorded !== undefined)
    return 'its BMC address changed since the boot';
  if (mode === 'eject') {
    if (known === undefined) return 'not booted';
    return known.state === 'ejected' ? `ejected at ${known.updatedAt}` : undefined;
  }
  if (known === undefined || known.state === 'starting' || isAgain) return undefined;
  return `booted ${known.updatedAt}`;
}

interface VisitOptions {
  readonly settings: BootSettings;
  readonly isAgain: boolean;
  readonly keeper: BootRecordWriter;
  /** Why the medium of a site must not be booted now. */
  readonly faultOfMedium?: (site: string) => string | undefined;
  readonly stop: AbortSignal;
  readonly present: () => Date;
  /** Called with the number of visited sites. */
  readonly onSite?: (done: number) => void;
}

/** Visits the sites, `jobs` at a time. */
export async function visitAll(
  { visits, skipped }: PlannedVisits,
  visiting: VisitOptions,
): Promise<readonly ReportedSite[]> {
  const { settings, stop, present, onSite } = visiting;
  let done = 0;
  const end = await runInParallel(visits, settings.jobs, {
    work: async (each) => {
      const result = await visitOne(each, visiting);
      done += 1;
      onSite?.(done);
      return { result, finishedMs: present().getTime() };
    },
    signal: stop,
  });
  const ejected = await ejectLater(end, visiting);
  const results = end.done.map(({ item: { site }, result: { result } }): ReportedSite => {
    const { state, words, problems } = ejected.get(site.name) ?? result;
    return { site, state, words, problems };
  });
  const left = end.left.map(({ site }): ReportedSite => ({
    site,
    state: 'not-started',
    words: 'not started',
  }));
  return [...skipped, ...results, ...left];
}

async function visitOne(
  { site, user, url, hardware }: Planned,
  { settings, isAgain, keeper, faultOfMedium, stop, present }: VisitOptions,
  mode = settings.mode,
): Promise<SiteBootResult> {
  if (user === undefined) throw new Error(`internal error: no user for ${site.name}`);
  const { pacing, release } = sitePacing(settings, stop, present);
  const visit = { site, user, pacing };
  try {
    if (mode === 'check') return await checkSite(visit, url);
    if (mode === 'boot' && url !== undefined)
      return await bootSite(
        visit,
        { imageUrl: url, isAgain, hardware: hardware(), faultOfMedium: () => faultOfMedium?.(site.name) },
        keeper,
      );
    const known = keeper.of(site.name);
    if (known === undefined) throw new Error(`internal error: ${site.name} was not booted`);
    return await ejectSite(visit, known, keeper);
  } finally {
    release();
  }
}

/** Pacing of a site, which ends with its time limit. `release` stops the timer. */
export function sitePacing(
  { siteMs, questionMs, mediumMs }: BmcLimits,
  stop: AbortSignal,
  present: () => Date,
): { readonly pacing: Pacing; readonly release: () => void } {
  const { signal, release } = timeLimit(stop, siteMs);
  return { pacing: { questionMs, mediumMs, signal, present, lookMs, retryMs }, release };
}

/** Ejects the media of booted sites, each `ejectAfterMs` after its boot. Returns the results by site name. */
async function ejectLater(
  { done }: ParallelResults<Planned, { readonly result: SiteBootResult; readonly finishedMs: number }>,
  visiting: VisitOptions,
): Promise<ReadonlyMap<string, SiteBootResult>> {
  const { settings, stop, present } = visiting;
  const { ejectAfterMs, mode } = settings;
  if (ejectAfterMs === undefined || mode !== 'boot') return new Map();
  const booted = done.filter(({ result }) => result.result.state === 'booted');
  const { done: ejected } = await runInParallel(booted, settings.jobs, {
    work: async ({ item, result }) => {
      try {
        await pause(Math.max(0, result.finishedMs + ejectAfterMs - present().getTime()), { signal: stop });
      } catch {
        return result.result;
      }
      return visitOne(item, visiting, 'eject');
    },
    signal: stop,
  });
  return new Map(ejected.map(({ result }) => [result.name, result]));
}
