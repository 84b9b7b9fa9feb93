import { dirname, join } from 'node:path';

import { markOf } from '../../disk/file-size.js';
import type { Finding, ShownApiWord } from '../page/known-site.js';
import { isOutdated } from '../page/shown-phase.js';
import type { SiteFolder } from '../site-folders.js';
import { apiWordsName, readApiWords, type ApiWord, type ApiWords } from './api-word.js';

/** The words that `fleet wait-for` left beside the folders of sites, read again when they are written anew. */
export function apiWordsBeside(sites: () => readonly Pick<SiteFolder, 'dir'>[]): () => ApiWords {
  let [mark, known]: [string | undefined, ApiWords] = [undefined, new Map()];
  return () => {
    const paths = [...new Set(sites().map(({ dir }) => dirname(dir)))].map((dir) => join(dir, apiWordsName));
    const present = paths.map(markOf).join('\n');
    if (present !== mark)
      [mark, known] = [present, new Map(paths.flatMap((path) => [...readApiWords(path)]))];
    return known;
  };
}

/** Even of thousands of sites each is asked more often: a word that is older is of a wait that has ended. */
const oldMs = 15 * 60 * 1000;

/** Clocks of the machine that asks and of the one that serves may differ so much. */
const aheadMs = 5 * 60 * 1000;

const stateWords = {
  waiting: 'waited for',
  reached: 'reached',
  'not-reached': 'not reached',
} as const;

/** A word at a moment; none that was heard in the future, and old where its machine was started again since. */
export function shownApiWord(said: ApiWord, now: Date, finding: Finding): ShownApiWord | undefined {
  const { condition, state, word, since, heardAt } = said;
  const ageMs = now.getTime() - Date.parse(heardAt);
  if (ageMs < -aheadMs) return undefined;
  const isOld = ageMs > oldMs || isOutdated(said, finding);
  const text = `${condition} ${stateWords[state]}`;
  return {
    word: word === undefined ? text : `${text}: ${word}`,
    note: isOld ? 'old, last asked' : 'since',
    // Since later than it was heard cannot be.
    at: isOld || Date.parse(since) > Date.parse(heardAt) ? heardAt : since,
  };
}
