import { dirname } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { redactSecrets } from '../../core/secrets.js';
import { fingerprintOf } from '../../disk/file-size.js';
import { replaceFile } from '../../disk/replace-file.js';
import {
  serializeApiStates,
  readApiStates,
  printableLine,
  type ApiState,
  type ApiStates,
} from './api-state.js';

/** The current API state of an awaited site. */
export interface PolledSite {
  readonly name: string;
  readonly state: ApiState['state'];
  /** The API's description; the cluster version if the condition was reached. */
  readonly said?: string;
  /** Absent before the first request. */
  readonly receivedAt?: Date;
}

/** Saves API states to a file while `fleet wait-for` runs. */
export interface ApiStateWriter {
  /** Records the current states. Writes the file at most every 10 seconds. */
  put(sites: readonly PolledSite[], waitedMs: number): void;
  /** Writes the final states. Returns a warning if the file cannot be written, because a wait must not fail for that reason. */
  close(sites: readonly PolledSite[]): readonly Problem[];
}

/** The status page reads the file every 5 seconds. With thousands of sites, each API is polled less often than this. */
const writeEveryMs = 10_000;

/** Keeps the entries of sites that are not awaited. Writes nothing if the folder does not exist. */
export function apiStateWriter(path: string, condition: string): ApiStateWriter {
  let [own, writtenMs]: [ApiStates, number] = [readApiStates(path), Number.NEGATIVE_INFINITY];
  const write = (sites: readonly PolledSite[]): readonly Problem[] => {
    if (fingerprintOf(dirname(path)) === '') return [];
    own = new Map(
      sites.flatMap((site) => {
        const word = apiWordOf(site, condition, own.get(site.name));
        return word === undefined ? [] : [[site.name, word] as const];
      }),
    );
    const written = replaceFile(path, serializeApiStates(new Map([...readApiStates(path), ...own])));
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

/** Returns the new state of a site, or the previous one before the first request. */
function apiWordOf(
  { state, said = '', receivedAt }: PolledSite,
  condition: string,
  before: ApiState | undefined,
): ApiState | undefined {
  if (receivedAt === undefined) return before;
  const word = printableLine(redactSecrets(said));
  const at = rfc3339(receivedAt);
  const isSame = before?.condition === condition && before.state === state && (before.word ?? '') === word;
  return {
    condition,
    state,
    ...(word !== '' && { word }),
    since: isSame ? before.since : at,
    receivedAt: at,
  };
}
