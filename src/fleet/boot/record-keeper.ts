import { setTimeout as timer } from 'node:timers/promises';

import type { Problem } from '../../core/problem.js';
import type { Result } from '../../core/result.js';
import { bootRecordText, type BootedSite, type BootRecord } from './boot-record.js';

/** A record that cannot be written: nothing may be booted that nobody knows of. */
export class RecordFault extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('the record of boots cannot be written');
  }
}

/** A record that grows while sites are booted. */
export interface RecordKeeper {
  readonly of: (site: string) => BootedSite | undefined;
  /** Kept once this has ended. Throws RecordFault. */
  readonly keep: (site: string, known: BootedSite) => Promise<void>;
}

/** Those who come within this time are written together: a record of 10,000 sites has 1.5 MB. */
const gatherMs = 100;

/** Keeps a record by writing all of it anew. */
export function recordKeeper(first: BootRecord, write: (text: string) => Result<void>): RecordKeeper {
  const record = new Map(first);
  let next: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    await timer(gatherMs);
    next = undefined;
    const written = write(bootRecordText(record));
    if (!written.ok) throw new RecordFault(written.problems);
  };
  return {
    of: (site) => record.get(site),
    keep: (site, known) => {
      record.set(site, known);
      return (next ??= flush());
    },
  };
}
