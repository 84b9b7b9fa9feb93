import { join } from 'node:path';

import type { Result } from '../../core/result.js';
import { unreadableFile } from '../../disk/named-file.js';
import { readInput } from '../../disk/read-inputs.js';
import { openFile } from '../../disk/state/open-state.js';
import { sealedName } from '../../disk/state/sealed-outputs.js';
import { noAccess, type StateAccess } from '../../disk/state/state-access.js';

/** The contents of an output in a directory, decrypted if needed. Problems: those of encrypted contents. */
export async function readOutput(
  dir: string,
  path: string,
  access: StateAccess = noAccess,
): Promise<Result<Uint8Array>> {
  const read = await existingOutput(dir, path, access);
  if (read === undefined) throw new Error(`internal error: ${path} was written but does not exist`);
  return read;
}

/** The same, but undefined if the output does not exist. Problems: usage/unreadable-file, those of encrypted contents. */
export async function existingOutput(
  dir: string,
  path: string,
  access: StateAccess = noAccess,
): Promise<Result<Uint8Array> | undefined> {
  for (const file of [path, sealedName(path)].map((name) => join(dir, name))) {
    const read = readInput(file);
    if (read.kind === 'file') return openFile(read.bytes, file, access);
    if (read.kind === 'unreadable') return unreadableFile('the output', file, read.reason);
  }
  return undefined;
}
