import { dirname, join } from 'node:path';

import { fingerprintOf } from '../../disk/file-size.js';
import type { ExternalStatus, ApiStateCell } from '../page/site-status.js';
import { isOutdated } from '../page/site-phase.js';
import type { SiteFolder } from '../site-folders.js';
import { apiStatesFileName, readApiStates, type ApiState, type ApiStates } from './api-state.js';

/**
 * Returns a reader of the API states that `fleet wait-for` wrote to the parent folders of the sites. Files are read again after a
 * change.
 */
export function apiStateReader(sites: () => readonly Pick<SiteFolder, 'dir'>[]): () => ApiStates {
  let [mark, known]: [string | undefined, ApiStates] = [undefined, new Map()];
  return () => {
    const paths = [...new Set(sites().map(({ dir }) => dirname(dir)))].map((dir) =>
      join(dir, apiStatesFileName),
    );
    const present = paths.map(fingerprintOf).join('\n');
    if (present !== mark)
      [mark, known] = [present, new Map(paths.flatMap((path) => [...readApiStates(path)]))];
    return known;
  };
}

/** Even with thousands of sites, each API is polled more often than this. An older entry comes from a wait that has ended. */
const oldMs = 15 * 60 * 1000;

/** Allowed clock skew between the machine that runs `fleet wait-for` and the server. */
const aheadMs = 5 * 60 * 1000;

const stateTexts = {
  waiting: (condition: string) => `waiting for ${condition}`,
  reached: (condition: string) => `${condition} reached`,
  'not-reached': (condition: string) => `${condition} not reached`,
} as const;

/**
 * Formats an API state for the page. Returns undefined if its time is in the future. Marks it as old if it is outdated, or if the
 * machine was started again since.
 */
export function apiStateRow(said: ApiState, now: Date, finding: ExternalStatus): ApiStateCell | undefined {
  const { condition, state, word, since, receivedAt } = said;
  const ageMs = now.getTime() - Date.parse(receivedAt);
  if (ageMs < -aheadMs) return undefined;
  const isOld = ageMs > oldMs || isOutdated(said, finding);
  const text = stateTexts[state](condition);
  return {
    word: word === undefined ? text : `${text}: ${word}`,
    note: isOld ? 'outdated, last check' : 'since',
    // A state cannot begin after it was last seen.
    at: isOld || Date.parse(since) > Date.parse(receivedAt) ? receivedAt : since,
  };
}
