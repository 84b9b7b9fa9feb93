import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf } from './file-system-problem.js';
import { readRegularFile } from './regular-file.js';

/** The texts below a folder that a tree was written to, by path; links are not followed. Problems: usage/unreadable-file. */
export function readTexts(folder: string): Result<Readonly<Record<string, string>>> {
  const texts: [string, string][] = [];
  try {
    for (const path of pathsBelow(folder)) {
      const read = readRegularFile(join(folder, path));
      if (read.kind === 'file') texts.push([path, read.bytes.toString('utf8')]);
    }
  } catch (error) {
    return failure(problem('usage/unreadable-file', `${folder} cannot be read: ${reasonOf(error)}`));
  }
  return success(Object.fromEntries(texts));
}

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return pathsBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`);
    return entry.isFile() ? [entry.name] : [];
  });
}
