import { dirname } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { withoutSecrets } from '../../core/secrets.js';
import { markOf } from '../../disk/file-size.js';
import { replaceFile } from '../../disk/replace-file.js';
import { apiWordsText, readApiWords, shortWord, type ApiWord, type ApiWords } from './api-word.js';

/** A site that is waited for, as its API was heard last. */
export interface HeardSite {
  readonly name: string;
  readonly state: ApiWord['state'];
  /** What it said; of one that was reached, its version. */
  readonly said?: string;
  /** Absent before it was asked. */
  readonly heardAt?: Date;
}

/** Keeps what APIs say in a file while sites are waited for. */
export interface ApiWordKeeper {
  /** Takes how sites stand, and writes it now and then. */
  put(sites: readonly HeardSite[], waitedMs: number): void;
  /** Writes how they stand in the end. What cannot be written is told in a warning: it ends no wait. */
  close(sites: readonly HeardSite[]): readonly Problem[];
}

/** A page looks at files every five seconds; thousands of sites are asked less often than this. */
const writeEveryMs = 10_000;

/** Words of sites that are not waited for stay as they are in the file. Where there is no folder for it, nothing is kept. */
export function apiWordKeeper(path: string, condition: string): ApiWordKeeper {
  let [own, writtenMs]: [ApiWords, number] = [readApiWords(path), Number.NEGATIVE_INFINITY];
  const write = (sites: readonly HeardSite[]): readonly Problem[] => {
    if (markOf(dirname(path)) === '') return [];
    own = new Map(
      sites.flatMap((site) => {
        const word = apiWordOf(site, condition, own.get(site.name));
        return word === undefined ? [] : [[site.name, word] as const];
      }),
    );
    const written = replaceFile(path, apiWordsText(new Map([...readApiWords(path), ...own])));
    return problemsOf(written).map((found) => ({ ...found, severity: 'warning' }));
  };
  return {
    put: (sites, waitedMs) => {
      if (waitedMs - writtenMs < writeEveryMs) return;
      writtenMs = waitedMs;
      write(sites);
    },
    close: write,
  };
}

/** What is to be kept of a site; before it was asked, what was. */
function apiWordOf(
  { state, said = '', heardAt }: HeardSite,
  condition: string,
  before: ApiWord | undefined,
): ApiWord | undefined {
  if (heardAt === undefined) return before;
  const word = shortWord(withoutSecrets(said));
  const at = rfc3339(heardAt);
  const isSame = before?.condition === condition && before.state === state && (before.word ?? '') === word;
  return {
    condition,
    state,
    ...(word !== '' && { word }),
    since: isSame ? before.since : at,
    heardAt: at,
  };
}
