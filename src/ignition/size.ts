import { problem, type Problem } from '../core/problem.js';
import { cpioArchive, cpioType } from '../formats/cpio.js';
import { deflatedBytes } from '../formats/gzip.js';
import type { XzEncoder } from '../formats/xz.js';

/**
 * Bytes that a CoreOS live ISO keeps free for an embedded config.
 * Source: coreos/coreos-assembler cmd-buildextend-live (256 KiB), coreos-installer src/live/embed.rs.
 */
export const embedAreaBytes = 262_144;

/** What a config takes of the embed area. */
export interface EmbeddedSize {
  readonly bytes: number;
  /** Whether that is the size itself: never less than coreos-installer fills, and at most 56 bytes more. */
  readonly isExact: boolean;
}

/** Below this an upper bound will do; a size near the limit is found exactly. */
const roomyBytes = (embedAreaBytes / 4) * 3;

/**
 * What `coreos-installer iso ignition embed` fills of the embed area with this config: first as quicker packers tell it, which take some
 * more room; exactly where that leaves less than a quarter of the area. A pure function of the text.
 */
export async function embeddedSize(configText: string, encode: XzEncoder): Promise<EmbeddedSize> {
  const archive = initrdWith('config.ign', Buffer.from(configText));
  const deflated = Math.ceil(deflatedBytes(archive) * xzOfDeflate) + framingBytes + secondBlockBytes;
  if (deflated <= roomyBytes) return { bytes: deflated, isExact: false };
  const bound = (await encode(archive, 'fast')).length + secondBlockBytes;
  if (bound <= roomyBytes) return { bytes: bound, isExact: false };
  return { bytes: (await encode(archive, 'best')).length + secondBlockBytes, isExact: true };
}

/**
 * Deflate knows of 32 KiB at a time and has no contexts, so that xz packs most texts better. Of base64 of what is random it makes 1.8 %
 * more (measured in test/ignition/size.test.ts).
 */
const xzOfDeflate = 1 + 1 / 32;

/**
 * 12 bytes each of header and footer, at most 20 of the block's header and 4 of its check, 16 of the index, 3 for each 64 KiB that cannot be
 * packed. Source: xz file format 1.2.1
 */
const framingBytes = 96;

/**
 * coreos-installer ends an xz block before the trailer of the archive, unless the length of the config is a multiple of
 * four. Such a block takes 52 bytes, its record in the index up to 4. Source: crate cpio 0.4.2, which flushes after padding.
 */
const secondBlockBytes = 56;

/** Whether an embedded size is one the live ISO has room for. Problems: ignition/too-large. */
export function checkEmbeddedSize(embeddedBytes: number): readonly Problem[] {
  if (embeddedBytes <= embedAreaBytes) return [];
  const message = `the Ignition config takes ${embeddedBytes} bytes after compression, and a live ISO has room for ${embedAreaBytes}`;
  const hint =
    'leave out extra manifests or make them smaller, set `certificates.keyAlgorithm: ECDSA-P256` in sno-config.yaml, or boot over PXE with `coreos-installer pxe ignition wrap`, which has no limit';
  return [problem('ignition/too-large', message, { hint })];
}

/** The archive of one file that the initramfs of a live system is given. */
function initrdWith(path: string, contents: Buffer): Buffer {
  return cpioArchive([{ path, mode: cpioType.file | 0o600, contents }]);
}
