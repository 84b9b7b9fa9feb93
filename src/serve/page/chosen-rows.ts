import { isShownPhase, shownPhases, type ShownPhase } from './shown-phase.js';
import type { SiteRow } from './shown-row.js';

/** What of the sites is wanted: those of a phase, and those that have all words of a text. */
export interface Choice {
  readonly text: string;
  readonly phase?: ShownPhase;
}

/** Longer ones are cut. */
const maxText = 100;

/** The choice in a query; what cannot be one is passed over. */
export function choiceIn({ q, phase }: { readonly q?: unknown; readonly phase?: unknown }): Choice {
  return {
    text: typeof q === 'string' ? q.slice(0, maxText) : '',
    ...(typeof phase === 'string' && isShownPhase(phase) && { phase }),
  };
}

/** Whether a site is one that is wanted; the page does the same while somebody types. */
export function isChosen(row: SiteRow, { text, phase }: Choice): boolean {
  const { name, phase: shown, detail = '', word: last = '', api } = row;
  const has = [name, shownPhases[shown], detail, last, api?.word ?? '', api?.note ?? '']
    .join(' ')
    .toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return (phase === undefined || row.phase === phase) && words.every((word) => has.includes(word));
}
