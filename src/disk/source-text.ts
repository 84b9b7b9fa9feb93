import { resolve } from 'node:path';

import { readRegularFile } from './regular-file.js';

/** Problems show excerpts of files up to this size. For larger files they show only the position. */
const maxSourceBytes = 4 * 1024 * 1024;

/** Text of a file that a problem refers to; undefined if it cannot be shown, for example because the file was rejected. */
export function sourceText(dir: string, file: string): string | undefined {
  const read = readRegularFile(resolve(dir, file), maxSourceBytes);
  return read.kind === 'file' ? new TextDecoder('utf-8').decode(read.bytes) : undefined;
}
