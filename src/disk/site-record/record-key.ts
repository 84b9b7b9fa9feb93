import { randomBytes } from 'node:crypto';

import { secretFile } from '../../core/output-file.js';
import { success, type Result } from '../../core/result.js';
import { commit } from '../commit.js';
import { readTrusted } from '../trust.js';

/** File name of the key in the folder of all outputs. */
export const recordKeyName = '.sno-install-fleet-key';

/**
 * HMAC key of the hashes in site records, 32 bytes in hex; undefined if there is none. Without the key, a record does not help to guess
 * a secret such as a proxy password.
 */
export function readRecordKey(outputs: string): string | undefined {
  const read = readTrusted(outputs, recordKeyName);
  return read.kind === 'file' ? parseRecordKey(read.bytes) : undefined;
}

/** Undefined if the bytes are not a valid key. */
export function parseRecordKey(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8').trim();
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

export function generateRecordKey(): string {
  return randomBytes(32).toString('hex');
}

/** Reads the key, or stores `given` or a generated key if there is none. The caller holds the lock. Problems: those of `commit`. */
export function ensureRecordKey(outputs: string, given?: string): Result<string> {
  const known = readRecordKey(outputs);
  if (known !== undefined) return success(known);
  const drawn = given ?? generateRecordKey();
  const written = commit(outputs, { writes: [secretFile(recordKeyName, `${drawn}\n`)], removals: [] });
  return written.ok ? success(drawn) : written;
}
