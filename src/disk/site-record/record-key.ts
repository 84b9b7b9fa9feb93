import { randomBytes } from 'node:crypto';

import { secretFile } from '../../core/output-file.js';
import { success, type Result } from '../../core/result.js';
import { commit } from '../commit.js';
import { readBelow } from '../regular-file.js';

/** The name of the key in the folder of all outputs. */
const keyName = '.sno-install-fleet-key';

/**
 * The key of the hashes in the records of sites, 32 bytes (hex); undefined where there is none. Whoever has a record alone cannot try
 * which password of a proxy, say, its hash is of.
 */
export function recordKeyIn(outputs: string): string | undefined {
  const read = readBelow(outputs, keyName);
  return read.kind === 'file' ? parseRecordKey(read.bytes) : undefined;
}

/** A key by its bytes; undefined for what is none. */
export function parseRecordKey(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8').trim();
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}

/** A new key. */
export function drawnRecordKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * The same, the given one or a drawn one put there where there is none yet; the caller holds the folder. Problems: those of `commit`.
 */
export function ensuredRecordKey(outputs: string, given?: string): Result<string> {
  const known = recordKeyIn(outputs);
  if (known !== undefined) return success(known);
  const drawn = given ?? drawnRecordKey();
  const written = commit(outputs, { writes: [secretFile(keyName, `${drawn}\n`)], removals: [] });
  return written.ok ? success(drawn) : written;
}
