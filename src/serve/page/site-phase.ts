import { isFailing, isPostInstall } from '../reports/node-report.js';
import type { ReceivedReport } from '../reports/site-reports.js';
import type { ExternalStatus, SiteStatus } from './site-status.js';

/** The phases of a site, first to last, with their labels. */
export const phaseLabels = {
  'no-outputs': 'No outputs',
  created: 'Created',
  reading: 'Downloading medium',
  fetched: 'Medium downloaded',
  starting: 'Starting',
  booted: 'Booted',
  ejected: 'Medium ejected',
  installing: 'Installing',
  'post-install': 'Post-install manifests',
  failed: 'Failed',
  ready: 'Ready',
} as const;

export type SitePhase = keyof typeof phaseLabels;

/** The phase names in order. */
export const phaseNames = Object.keys(phaseLabels).filter(isSitePhase);

export function isSitePhase(text: string): text is SitePhase {
  return Object.hasOwn(phaseLabels, text);
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
}: Pick<SiteStatus, 'hasOutputs' | 'visit' | 'finding' | 'report'>): SitePhase {
  if (report && !isOutdated(report, finding)) {
    if (report.isComplete) return 'ready';
    if (isFailing(report)) return 'failed';
    return isPostInstall(report) ? 'post-install' : 'installing';
  }
  if (finding.boot) return finding.boot.state;
  if (visit.phase !== 'waiting') return visit.phase;
  return hasOutputs ? 'created' : 'no-outputs';
}

/**
 * Whether the machine was started again after the report. An ejected medium does not count: `fleet boot` ejects it during the
 * installation.
 */
export function isOutdated(
  { receivedAt }: Pick<ReceivedReport, 'receivedAt'>,
  { boot }: ExternalStatus,
): boolean {
  return boot !== undefined && boot.state !== 'ejected' && Date.parse(boot.at) > Date.parse(receivedAt);
}
