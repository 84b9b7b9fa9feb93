import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar, type TarEntry } from 'modern-tar';

import { keptBytesOf } from '../../../src/analysis/bundle.js';
import { scratchFolder } from '../../support/scratch.js';

/** Path of a service record in an archive. */
export const record = 'b/bootstrap/services/bootkube.json';

/** Path of a journal in a bundle folder. */
export function journal(index: number): string {
  return `bootstrap/journals/j${index}.log`;
}

/** Bytes read from a journal. */
export const keptBytes = keptBytesOf(journal(1));

export async function archiveOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  others: readonly TarEntry[] = [],
): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, body]): TarEntry => {
    return { header: { name, size: Buffer.byteLength(body) }, body };
  });
  return gzipSync(await packTar([...entries, ...others]), { level: 1 });
}

/** Writes the bytes to `log-bundle-1.tar.gz` and returns its path. */
export function archiveAt(bytes: Uint8Array): string {
  const path = join(scratchFolder(), 'log-bundle-1.tar.gz');
  writeFileSync(path, bytes);
  return path;
}

/** Writes the files, keyed by path, to a folder `log-bundle-2` and returns its path. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(scratchFolder(), 'log-bundle-2');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
