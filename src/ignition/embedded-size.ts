import { problem, type Problem } from '../core/problem.js';
import { cpioArchive, cpioType } from '../formats/cpio.js';
import { deflatedBytes } from '../formats/gzip.js';
import type { XzEncoder } from '../formats/xz.js';

/**
 * Size of the embed area in a CoreOS live ISO.
 * Source: coreos/coreos-assembler cmd-buildextend-live (256 KiB), coreos-installer src/live/embed.rs.
 */
export const embedAreaBytes = 262_144;

/** Compressed size of a config in the embed area. */
export interface EmbeddedSize {
  readonly bytes: number;
  /** False if `bytes` is an upper bound. An exact size is never smaller than the real one and at most 56 bytes larger. */
  readonly isExact: boolean;
}

/** Up to this size an upper bound is sufficient; larger sizes are computed exactly. */
const estimateLimitBytes = (embedAreaBytes / 4) * 3;

/**
 * Bytes that `coreos-installer iso ignition embed` writes to the embed area for this config. Faster compressors give an upper
 * bound first; the exact size is computed only if less than a quarter of the area is left. Depends only on the text.
 */
export async function embeddedSize(configText: string, encode: XzEncoder): Promise<EmbeddedSize> {
  const archive = initrdWith('config.ign', Buffer.from(configText));
  const deflated = Math.ceil(deflatedBytes(archive) * xzOfDeflate) + framingBytes + secondBlockBytes;
  if (deflated <= estimateLimitBytes) return { bytes: deflated, isExact: false };
  const bound = (await encode(archive, 'fast')).length + secondBlockBytes;
  if (bound <= estimateLimitBytes) return { bytes: bound, isExact: false };
  return { bytes: (await encode(archive, 'best')).length + secondBlockBytes, isExact: true };
}

/**
 * Upper bound of xz relative to deflate. Deflate has a window of 32 KiB and no context modelling, so xz compresses most texts
 * better. For base64 of random bytes xz is 1.8 % larger (measured in test/ignition/embedded-size.test.ts).
 */
const xzOfDeflate = 1 + 1 / 32;

/**
 * Overhead of the xz format: header and footer 12 bytes each, block header at most 20, check 4, index 16, and 3 per
 * incompressible 64 KiB. Source: xz file format 1.2.1
 */
const framingBytes = 96;

/**
 * coreos-installer ends an xz block before the archive's trailer, unless the length of the config is a multiple of
 * four. The second block takes 52 bytes and up to 4 in the index. Source: crate cpio 0.4.2, which flushes after padding.
 */
const secondBlockBytes = 56;

/** Reports a config that does not fit into the live ISO's embed area. Problems: ignition/too-large. */
export function checkEmbeddedSize(embeddedBytes: number): readonly Problem[] {
  if (embeddedBytes <= embedAreaBytes) return [];
  const message = `the Ignition config takes ${embeddedBytes} bytes after compression, but a live ISO has room for ${embedAreaBytes}`;
  const hint =
    'leave out extra manifests or make them smaller, set `certificates.keyAlgorithm: ECDSA-P256` in sno-config.yaml, or boot over PXE with `coreos-installer pxe ignition wrap`, which has no limit';
  return [problem('ignition/too-large', message, { hint })];
}

/** A cpio archive with one file, as appended to the initramfs of a live system. */
function initrdWith(path: string, contents: Buffer): Buffer {
  return cpioArchive([{ path, mode: cpioType.file | 0o600, contents }]);
}
