import { posix } from 'node:path';

import { readReferencedTexts } from '../config/reading/referenced-texts.js';
import type { Inputs } from '../graph/context.js';

/** Whether two sites have the same files, and what these name elsewhere is the same: then the same is made of both. */
export function areSameInputs(before: Inputs, after: Inputs): boolean {
  const [earlier, later] = [pathsOf(before), pathsOf(after)];
  if (earlier.join('\n') !== later.join('\n')) return false;
  if (!earlier.every((path) => isSameFile(path, before, after))) return false;
  return (
    JSON.stringify(readReferencedTexts(before).texts) === JSON.stringify(readReferencedTexts(after).texts)
  );
}

/** Every file of a site, sorted as its folders are. */
function pathsOf(inputs: Inputs, folder = '.'): readonly string[] {
  return (inputs.list(folder) ?? []).flatMap((entry) => {
    const path = posix.join(folder, entry);
    return entry.endsWith('/') ? pathsOf(inputs, path) : [path];
  });
}

function isSameFile(path: string, before: Inputs, after: Inputs): boolean {
  const [earlier, later] = [before.read(path), after.read(path)];
  return earlier.kind === 'file' && later.kind === 'file' && Buffer.compare(earlier.bytes, later.bytes) === 0;
}
