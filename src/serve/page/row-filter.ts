import { isSitePhase, phaseLabels, type SitePhase } from './site-phase.js';
import type { SiteRow } from './site-row.js';

/** The filter of the page: a phase, and words that must all match. */
export interface RowFilter {
  readonly text: string;
  readonly phase?: SitePhase;
}

/** Longer texts are cut. */
const maxText = 100;

/** Reads the filter from a query string; ignores invalid values. */
export function parseRowFilter({ q, phase }: { readonly q?: unknown; readonly phase?: unknown }): RowFilter {
  return {
    text: typeof q === 'string' ? q.slice(0, maxText) : '',
    ...(typeof phase === 'string' && isSitePhase(phase) && { phase }),
  };
}

/** Whether a row matches the filter. `page.js` has the same logic. */
export function matchesFilter(row: SiteRow, { text, phase }: RowFilter): boolean {
  const { name, phase: shown, percent, word: last = '', api, rollout = '', medium = '' } = row;
  const progress = percent === undefined ? '' : `${percent} %`;
  const has = [name, phaseLabels[shown], progress, last, api?.word ?? '', api?.note ?? '', rollout, medium]
    .join(' ')
    .toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return (phase === undefined || row.phase === phase) && words.every((word) => has.includes(word));
}
