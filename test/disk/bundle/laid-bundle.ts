import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar, type TarEntry } from 'modern-tar';

import { keptBytesOf } from '../../../src/analysis/bundle.js';
import { scratchFolder } from '../../support/scratch.js';

/** A record of a service, as an archive has it. */
export const record = 'b/bootstrap/services/bootkube.json';

/** A journal, as a folder has it. */
export function journal(index: number): string {
  return `bootstrap/journals/j${index}.log`;
}

/** How much is kept of a journal. */
export const keptBytes = keptBytesOf(journal(1));

/** An archive of files by path, and of other entries. */
export async function archiveOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  others: readonly TarEntry[] = [],
): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, body]): TarEntry => {
    return { header: { name, size: Buffer.byteLength(body) }, body };
  });
  return gzipSync(await packTar([...entries, ...others]), { level: 1 });
}

/** Lays bytes as `log-bundle-1.tar.gz` and gives back where. */
export function archiveAt(bytes: Uint8Array): string {
  const path = join(scratchFolder(), 'log-bundle-1.tar.gz');
  writeFileSync(path, bytes);
  return path;
}

/** Lays files by path in a folder `log-bundle-2` and gives back where. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(scratchFolder(), 'log-bundle-2');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
