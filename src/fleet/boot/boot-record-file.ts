import { join } from 'node:path';

import type { Result } from '../../core/result.js';
import { takeLock } from '../../disk/lock/lock.js';
import { createRecordFolder, readRecord } from '../../disk/record-file.js';
import { replaceFile } from '../../disk/replace-file.js';
import { bootRecordName, readBootRecord, type BootRecord } from './boot-record.js';
import { bootRecordWriter, type BootRecordWriter } from './boot-record-writer.js';
import { commandLine } from '../../run/effects/command-line.js';

/** The folder of fleet.yaml, and the output folder within it. */
interface RecordFolders {
  readonly dir: string;
  readonly outputs: string;
}

/** Holds the lock of the output folder, because only one run may start its sites. Problems: dir/locked, dir/not-writable. */
export async function whileLocked<T>(
  { dir, outputs }: RecordFolders,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const folder = createRecordFolder(outputs, dir);
  if (!folder.ok) return folder;
  const lock = await takeLock(outputs, commandLine());
  if (!lock.ok) return lock;
  try {
    return await work();
  } finally {
    lock.value.release();
  }
}

/** Problems: boot/record, usage/unreadable-file. */
export function bootRecordIn({ outputs }: Pick<RecordFolders, 'outputs'>): Result<BootRecord> {
  const path = join(outputs, bootRecordName);
  const text = readRecord(path);
  return text.ok ? readBootRecord(text.value, path) : text;
}

export function bootRecordKeeper(
  { outputs }: Pick<RecordFolders, 'outputs'>,
  record: BootRecord,
): BootRecordWriter {
  return bootRecordWriter(record, (text) => replaceFile(join(outputs, bootRecordName), text));
}
