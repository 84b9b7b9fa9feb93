import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';

/** The text of a file in a handmade bundle, or a link. */
export type MadeEntry = string | { readonly linkTo: string };

/** A tar.gz with these entries, by path, in this order. */
export async function madeBundle(entries: Readonly<Record<string, MadeEntry>>): Promise<Buffer> {
  const packed = await packTar(
    Object.entries(entries).map(([name, entry]): TarEntry => {
      if (typeof entry === 'string') return { header: { name, size: Buffer.byteLength(entry) }, body: entry };
      return { header: { name, size: 0, type: 'symlink', linkname: entry.linkTo } };
    }),
  );
  return gzipSync(packed);
}

/** One entry of a service record. */
export function entry(second: number, phase: string, more: object = {}): object {
  return { timestamp: `2026-01-02T03:04:${String(second).padStart(2, '0')}Z`, phase, ...more };
}

/** A record with a stage that fails one second after its start. */
export function failingRecord(stage: string, errorMessage: string): string {
  return JSON.stringify([
    entry(1, 'service start'),
    entry(2, 'stage start', { stage }),
    entry(3, 'stage end', { stage, result: 'failure', errorLine: '59 fail bootkube.sh', errorMessage }),
    entry(3, 'service end', { result: 'failure', errorMessage }),
  ]);
}
