import { join } from 'node:path';

import { success, type Result } from '../core/result.js';
import { entriesBelow } from './entries-below.js';
import { unreadableFile } from './named-file.js';
import { reasonOf } from './system-error.js';
import { readRegularFile } from './regular-file.js';

/**
 * Reads the texts below a folder that a tree was written to, by path. Links are not followed. Fails if any file cannot be read,
 * since the tree would be incomplete. Problems: usage/unreadable-file.
 */
export function readTexts(folder: string): Result<Readonly<Record<string, string>>> {
  const texts: [string, string][] = [];
  try {
    for (const { path, entry } of entriesBelow(folder)) {
      if (!entry.isFile()) continue;
      const read = readRegularFile(join(folder, path));
      if (read.kind === 'unreadable') return unreadableFile('the file', join(folder, path), read.reason);
      if (read.kind === 'file') texts.push([path, read.bytes.toString('utf8')]);
    }
  } catch (error) {
    return unreadableFile('the folder', folder, reasonOf(error));
  }
  return success(Object.fromEntries(texts));
}
