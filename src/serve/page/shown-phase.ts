import { isFailing } from '../reports/node-report.js';
import type { HeardReport } from '../reports/site-reports.js';
import type { Finding, KnownSite } from './known-site.js';

/** The phases of a site, first to last, with their labels. */
export const shownPhases = {
  'no-outputs': 'No outputs',
  made: 'Made',
  reading: 'Reading its medium',
  fetched: 'Medium fetched',
  starting: 'Being started',
  booted: 'Booted',
  ejected: 'Medium taken out',
  installing: 'Installing',
  failed: 'Failed',
  ready: 'Ready',
} as const;

export type ShownPhase = keyof typeof shownPhases;

/** The phase names in order. */
export const phaseNames = Object.keys(shownPhases).filter(isShownPhase);

export function isShownPhase(text: string): text is ShownPhase {
  return Object.hasOwn(shownPhases, text);
}

/**
 * Returns the furthest known phase of a site. If the machine was started again after its last report, returns the phase of that
 * start.
 */
export function phaseOf({
  hasOutputs,
  visit,
  finding,
  report,
}: Pick<KnownSite, 'hasOutputs' | 'visit' | 'finding' | 'report'>): ShownPhase {
  if (report && !isOutdated(report, finding)) {
    if (report.isComplete) return 'ready';
    return isFailing(report) ? 'failed' : 'installing';
  }
  if (finding.boot) return finding.boot.reached;
  if (visit.phase !== 'waiting') return visit.phase;
  return hasOutputs ? 'made' : 'no-outputs';
}

/**
 * Whether the machine was started again after the report. An ejected medium does not count: `fleet boot` ejects it during the
 * installation.
 */
export function isOutdated({ heardAt }: Pick<HeardReport, 'heardAt'>, { boot }: Finding): boolean {
  return boot !== undefined && boot.reached !== 'ejected' && Date.parse(boot.at) > Date.parse(heardAt);
}
