import { isShownPhase, shownPhases, type ShownPhase } from './shown-phase.js';
import type { SiteRow } from './shown-row.js';

/** The filter of the page: a phase, and words that must all match. */
export interface Choice {
  readonly text: string;
  readonly phase?: ShownPhase;
}

/** Longer texts are cut. */
const maxText = 100;

/** Reads the filter from a query string; ignores invalid values. */
export function choiceIn({ q, phase }: { readonly q?: unknown; readonly phase?: unknown }): Choice {
  return {
    text: typeof q === 'string' ? q.slice(0, maxText) : '',
    ...(typeof phase === 'string' && isShownPhase(phase) && { phase }),
  };
}

/** Whether a row matches the filter. `page.js` has the same logic. */
export function isChosen(row: SiteRow, { text, phase }: Choice): boolean {
  const { name, phase: shown, detail = '', word: last = '', api } = row;
  const has = [name, shownPhases[shown], detail, last, api?.word ?? '', api?.note ?? '']
    .join(' ')
    .toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return (phase === undefined || row.phase === phase) && words.every((word) => has.includes(word));
}
