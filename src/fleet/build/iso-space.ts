import { join } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { fileSize } from '../../disk/file-size.js';
import { sharesBlocksIn } from '../../disk/image/base-image.js';
import { canShareBlocks, imageSpaceFaults, type ImageCopies } from '../../disk/image/image-space.js';
import { payloadOffset } from '../../media/payload/appended-payload.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { filesOf } from '../table/check-site-files.js';
import type { SiteRow } from '../table/site-table.js';
import type { IsoPayload } from './iso-payloads.js';
import { siteIsoName } from './site-iso.js';
import type { LiveIsoOptions } from './site-options.js';
import { namedPayload } from './site-payloads.js';

/** ISOs to write. */
export interface IsosToWrite {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly opened: LoadedFleet;
  readonly iso: LiveIsoOptions;
  /** Number of ISOs that are written at the same time. */
  readonly jobs: number;
}

/** Checks the free space for the missing ISOs, and for those of another size. Problems: those of `imageSpaceFaults`. */
export function isoSpaceFaults({ dir, opened, iso, jobs }: IsosToWrite): readonly Problem[] {
  const outputs = join(dir, opened.fleet.outputs);
  const liveBytes = fileSize(iso.path) ?? 0;
  const sizes = new Map<number, (number | undefined)[]>();
  const payloadOf = (row: SiteRow): IsoPayload | undefined => {
    if (iso.payloads === false) return undefined;
    const named = namedPayload(dir, row.name, filesOf(opened, row));
    return named && iso.payloads.get(named.path);
  };
  for (const row of opened.rows) {
    const payload = payloadOf(row);
    const bytes = payload ? payloadOffset(liveBytes) + payload.bytes : liveBytes;
    const before = fileSize(join(outputs, row.name, siteIsoName));
    if (before !== bytes) sizes.set(bytes, [...(sizes.get(bytes) ?? []), before]);
  }
  const groups = [...sizes].map(([bytes, before]): ImageCopies => {
    const isPlain = bytes === liveBytes;
    return {
      copies: before.length,
      bytes: neededBytes(bytes, before, jobs),
      sharedBytes: isPlain ? 0 : bytes,
      sharesBlocks: () => (isPlain ? canShareBlocks(iso.path, outputs) : sharesBlocksIn(outputs)),
    };
  });
  return imageSpaceFaults(outputs, groups);
}

/** A file is replaced after its successor is complete. */
function neededBytes(bytes: number, before: readonly (number | undefined)[], jobs: number): number {
  const replaced = before.filter((size) => size !== undefined).length;
  const grown = before.reduce<number>((sum, size = 0) => sum + Math.max(0, bytes - size), 0);
  return Math.min(bytes * before.length, grown + Math.min(jobs, replaced) * bytes);
}
