import { resolve } from 'node:path';

import { readRegularFile } from './regular-file.js';

/** Excerpts are cut from files up to this size; a larger one is named by its place alone. */
const maxSourceBytes = 4 * 1024 * 1024;

/** The text of a file a problem points into; undefined when it cannot be shown, such as that of a file that was refused. */
export function sourceText(dir: string, file: string): string | undefined {
  const read = readRegularFile(resolve(dir, file), maxSourceBytes);
  return read.kind === 'file' ? new TextDecoder('utf-8').decode(read.bytes) : undefined;
}
