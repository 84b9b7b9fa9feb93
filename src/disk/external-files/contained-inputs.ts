import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

import type { Inputs } from '../../graph/context.js';
import { digestFile } from '../file-digest.js';
import { readInput } from '../read-inputs.js';

/**
 * Inputs that read nothing outside `dir`, by `..` or by a link: files elsewhere are unreadable, folders absent.
 * `named` lists paths whose links may lead anywhere, because the user named them.
 */
export function containedInputs(dir: string, inputs: Inputs, named: readonly string[] = []): Inputs {
  const isAllowed = (path: string): boolean => named.includes(path) || !leadsOut(dir, path);
  const unreadable = { kind: 'unreadable', reason: 'it is outside the named folder' } as const;
  return {
    ...inputs,
    read: (path) => {
      if (named.includes(path)) return readInput(resolve(dir, path));
      return isAllowed(path) ? inputs.read(path) : unreadable;
    },
    digest: (path) => {
      if (named.includes(path)) return digestFile(resolve(dir, path));
      return isAllowed(path) ? inputs.digest(path) : unreadable;
    },
    list: (folder) => (isAllowed(folder) ? inputs.list(folder) : undefined),
  };
}

function leadsOut(dir: string, path: string): boolean {
  if (isOutside(resolve(dir), resolve(dir, path))) return true;
  try {
    return isOutside(realpathSync(dir), realpathSync(resolve(dir, path)));
  } catch {
    // The read that follows reports a missing or inaccessible file.
    return false;
  }
}

function isOutside(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside.split('/')[0] === '..' || isAbsolute(inside);
}
