import { readdirSync } from 'node:fs';

import { byCodeUnit } from '../../core/compare.js';
import { decryptAge, type AgeKeys } from '../../formats/age.js';
import { systemErrorCode } from '../file-system-problem.js';
import { readRegularFile } from '../regular-file.js';
import { idForm, readKit, type KeyKit } from './key-kit.js';

/** The only file of a kit's folder. */
export function kitFileName(id: string): string {
  return `${id}.age`;
}

/** The name of the kit in a folder, if it is one. */
export function kitIdIn(folder: string): string | undefined {
  const ids = namesIn(folder).map((name) => name.replace(/\.age$/, ''));
  return ids.length === 1 ? ids.find((id) => idForm.test(id)) : undefined;
}

/** Opens a kit; `damaged`: it is not as it was written. */
export async function openKit(path: string, keys: AgeKeys): Promise<KeyKit | 'no-key' | 'damaged'> {
  const read = readRegularFile(path);
  if (read.kind !== 'file') return 'damaged';
  const opened = await decryptAge(read.bytes, keys);
  return 'fault' in opened ? opened.fault : (readKit(opened.bytes) ?? 'damaged');
}

/** Names in a folder, sorted; none where there is no folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(byCodeUnit);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return [];
    throw error;
  }
}
