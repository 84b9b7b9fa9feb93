import type { KnownSite } from './known-site.js';

/** How far a site is, from the first to the last, with what people read of it. */
export const shownPhases = {
  'no-outputs': 'No outputs',
  made: 'Made',
  reading: 'Reading its medium',
  fetched: 'Medium fetched',
  starting: 'Being started',
  booted: 'Booted',
  ejected: 'Medium taken out',
} as const;

/** One of these. */
export type ShownPhase = keyof typeof shownPhases;

/** Their names, in order. */
export const phaseNames = Object.keys(shownPhases).filter(isShownPhase);

/** Whether a text is the name of one. */
export function isShownPhase(text: string): text is ShownPhase {
  return Object.hasOwn(shownPhases, text);
}

/** The furthest that is known of a site. */
export function phaseOf({
  hasOutputs,
  visit,
  finding,
}: Pick<KnownSite, 'hasOutputs' | 'visit' | 'finding'>): ShownPhase {
  if (finding.boot) return finding.boot.reached;
  if (visit.phase !== 'waiting') return visit.phase;
  return hasOutputs ? 'made' : 'no-outputs';
}
