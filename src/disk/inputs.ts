import { readFileSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { byCodeUnit } from '../core/compare.js';
import type { InputRead, Inputs } from '../graph/context.js';
import { reasonOf, systemErrorCode } from './file-system-problem.js';

/** No input of ours comes near this; a larger file was named by mistake and is not read into memory. */
const maxInputBytes = 64 * 1024 * 1024;

/** The user's files below `dir`, each read once, and the hashes of what earlier runs wrote there. */
export function inputsOf(dir: string, written: Readonly<Record<string, string>>): Inputs {
  const reads = new Map<string, InputRead>();
  const read = (path: string): InputRead => {
    const known = reads.get(path);
    if (known !== undefined) return known;
    const fresh = readInput(resolve(dir, path));
    reads.set(path, fresh);
    return fresh;
  };
  return {
    read,
    list: (folder) => listFolder(resolve(dir, folder)),
    written: (path) => written[path],
    writtenPaths: () => Object.keys(written).sort(byCodeUnit),
  };
}

/** What stands at a path, links followed; a file of more than `maxBytes` is not read. */
export function readInput(path: string, maxBytes: number = maxInputBytes): InputRead {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { kind: 'unreadable', reason: 'it is a folder, not a file' };
    if (!stats.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    if (stats.size > maxBytes) return { kind: 'unreadable', reason: `it is larger than ${maxBytes} bytes` };
    return { kind: 'file', bytes: readFileSync(path) };
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT'
      ? { kind: 'absent' }
      : { kind: 'unreadable', reason: reasonOf(error) };
  }
}

function listFolder(path: string): readonly string[] | undefined {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort(byCodeUnit);
  } catch {
    return undefined;
  }
}
