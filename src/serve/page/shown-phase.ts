import { isFailing } from '../reports/node-report.js';
import type { HeardReport } from '../reports/site-reports.js';
import type { Finding, KnownSite } from './known-site.js';

/** How far a site is, from the first to the last, with what people read of it. */
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

/** One of these. */
export type ShownPhase = keyof typeof shownPhases;

/** Their names, in order. */
export const phaseNames = Object.keys(shownPhases).filter(isShownPhase);

/** Whether a text is the name of one. */
export function isShownPhase(text: string): text is ShownPhase {
  return Object.hasOwn(shownPhases, text);
}

/** The furthest that is known of a site; a machine that was started again since its last report is where it was started. */
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
 * Whether a machine was started again since its report, which so tells nothing of it. That its medium was taken out after a report says
 * nothing: that is done while it installs itself.
 */
export function isOutdated({ heardAt }: Pick<HeardReport, 'heardAt'>, { boot }: Finding): boolean {
  return boot !== undefined && boot.reached !== 'ejected' && Date.parse(boot.at) > Date.parse(heardAt);
}
