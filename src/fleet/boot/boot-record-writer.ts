import { setTimeout as timer } from 'node:timers/promises';

import type { Problem } from '../../core/problem.js';
import type { Result } from '../../core/result.js';
import { serializeBootRecord, type BootedSite, type BootRecord } from './boot-record.js';

/** The record cannot be written. Booting must stop, since every boot has to be recorded. */
export class RecordFault extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('cannot write the boot record');
  }
}

/** Updates the record while sites are booted. */
export interface BootRecordWriter {
  readonly of: (site: string) => BootedSite | undefined;
  /** All sites, as of now. */
  readonly all: () => BootRecord;
  /** Resolves when the record is written. Throws RecordFault. */
  readonly keep: (site: string, known: BootedSite) => Promise<void>;
  /** Takes back a state that was kept. `known`: the state before, if there was one. Resolves when the record is written. Throws RecordFault. */
  readonly restore: (site: string, known: BootedSite | undefined) => Promise<void>;
}

/** Updates within this time share one write, since the record of 10,000 sites has 1.5 MB. */
const gatherMs = 100;

/** Each write replaces the whole record. */
export function bootRecordWriter(first: BootRecord, write: (text: string) => Result<void>): BootRecordWriter {
  const record = new Map(first);
  let next: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    await timer(gatherMs);
    next = undefined;
    const written = write(serializeBootRecord(record));
    if (!written.ok) throw new RecordFault(written.problems);
  };
  return {
    of: (site) => record.get(site),
    all: () => record,
    keep: (site, known) => {
      record.set(site, known);
      return (next ??= flush());
    },
    restore: (site, known) => {
      if (known === undefined) record.delete(site);
      else record.set(site, known);
      return (next ??= flush());
    },
  };
}
