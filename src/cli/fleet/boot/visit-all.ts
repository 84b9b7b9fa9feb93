import type { GlobalOptions } from '../../options.js';
import { siteProgress } from '../../progress.js';
import { timeLimit } from '../../../core/time-limit.js';
import { recordOfMachine, type BootedSite, type SiteHardware } from '../../../fleet/boot/boot-record.js';
import type { BootSite } from '../../../fleet/boot/boot-targets.js';
import { runInParallel, type ParallelResults } from '../../../fleet/boot/run-in-parallel.js';
import { sitesOnHold } from '../../../fleet/site-row.js';
import type { BootRecordWriter } from '../../../fleet/boot/boot-record-writer.js';
import { bootSite, checkSite, ejectSite, type SiteBootResult } from '../../../fleet/boot/boot-site.js';
import { pause, type Pacing } from '../../../remote/redfish/pacing.js';
import type { SiteBmcUser } from '../../../fleet/boot/visit-bmc.js';
import type { BootInputs } from './boot-inputs.js';
import type { BmcLimits, BootOptions, BootSettings } from './boot-options.js';
import type { ReportedSite } from './print-boots.js';

/** Polling interval of a booting machine, and delay before a retry. */
const lookMs = 2000;
const retryMs = 1000;

interface Planned {
  readonly site: BootSite;
  readonly user: SiteBmcUser | undefined;
  readonly url: string | undefined;
  readonly hardware: () => SiteHardware;
}

/** Selects the sites to visit, and returns the reason for each skipped site. */
export function planVisits(
  { fleet, sites, users, urls, hardwareOf }: BootInputs,
  known: (site: string) => BootedSite | undefined,
  { mode, again }: Pick<BootSettings, 'mode'> & Pick<BootOptions, 'again'>,
): { readonly visits: readonly Planned[]; readonly skipped: readonly ReportedSite[] } {
  const onHold = sitesOnHold(fleet.rows);
  const skippedSites = sites.flatMap((site): readonly ReportedSite[] => {
    const isHeld = onHold.has(site.name) && (mode === 'boot' || mode === 'dry-run');
    const words = isHeld
      ? 'on hold: holdInstallation of its ClusterInstance is true'
      : whyNot(site, known(site.name), { mode, isAgain: again === true });
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
  { mode, isAgain }: { readonly mode: BootSettings['mode']; readonly isAgain: boolean },
): string | undefined {
  if (mode === 'check') return undefined;
  const known = recordOfMachine(recorded, address);
  if (mode === 'eject' && known === undefined && recorded !== undefined)
    return 'its BMC address changed since the boot';
  if (mode === 'eject') {
    if (known === undefined) return 'not booted';
    return known.reached === 'ejected' ? `ejected at ${known.at}` : undefined;
  }
  if (known === undefined || known.reached === 'starting' || isAgain) return undefined;
  return `booted ${known.at}`;
}

interface VisitOptions {
  readonly settings: BootSettings;
  readonly options: GlobalOptions & BootOptions;
  readonly keeper: BootRecordWriter;
  /** Why the medium of a site must not be booted now. */
  readonly faultOfMedium?: (site: string) => string | undefined;
  readonly stop: AbortSignal;
}

/** Visits the sites, `jobs` at a time. */
export async function visitAll(inputs: BootInputs, visiting: VisitOptions): Promise<readonly ReportedSite[]> {
  const { settings, options, keeper, stop } = visiting;
  const { visits, skipped } = planVisits(inputs, keeper.of, { ...settings, ...options });
  const screen = siteProgress(options, visits.length, process.stderr, progressWords[settings.mode]);
  let done = 0;
  const end = await runInParallel(visits, settings.jobs, {
    work: async (each) => {
      const result = await visitOne(each, visiting);
      done += 1;
      screen.onSite(done);
      return { result, finishedMs: Date.now() };
    },
    signal: stop,
  });
  screen.done();
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

const progressWords = {
  boot: 'booting sites',
  eject: 'ejecting media',
  check: 'checking BMCs',
  'dry-run': 'planning',
} as const;

async function visitOne(
  { site, user, url, hardware }: Planned,
  { settings, options, keeper, faultOfMedium, stop }: VisitOptions,
  mode = settings.mode,
): Promise<SiteBootResult> {
  if (user === undefined) throw new Error(`internal error: no user for ${site.name}`);
  const { pacing, release } = sitePacing(settings, stop);
  const visit = { site, user, pacing };
  const isAgain = options.again === true;
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
): { readonly pacing: Pacing; readonly release: () => void } {
  const { signal, release } = timeLimit(stop, siteMs);
  return { pacing: { questionMs, mediumMs, signal, present: () => new Date(), lookMs, retryMs }, release };
}

/** Ejects the media of booted sites, each `ejectAfterMs` after its boot. Returns the results by site name. */
async function ejectLater(
  { done }: ParallelResults<Planned, { readonly result: SiteBootResult; readonly finishedMs: number }>,
  visiting: VisitOptions,
): Promise<ReadonlyMap<string, SiteBootResult>> {
  const { settings, stop } = visiting;
  const { ejectAfterMs, mode } = settings;
  if (ejectAfterMs === undefined || mode !== 'boot') return new Map();
  const booted = done.filter(({ result }) => result.result.state === 'booted');
  const { done: ejected } = await runInParallel(booted, settings.jobs, {
    work: async ({ item, result }) => {
      try {
        await pause(Math.max(0, result.finishedMs + ejectAfterMs - Date.now()), { signal: stop });
      } catch {
        return result.result;
      }
      return visitOne(item, visiting, 'eject');
    },
    signal: stop,
  });
  return new Map(ejected.map(({ result }) => [result.name, result]));
}
