import { sha256 } from '../../formats/sha256.js';
import { patchedPiece, type Patch } from '../../media/disk-image.js';
import { packInitrd } from '../../media/initrd.js';
import { liveFiles } from '../../media/live-files.js';
import { networkBeside } from '../../media/network-beside.js';
import { embedConfig } from '../../media/single-node-iso.js';

import { success, type Result } from '../../core/result.js';
import { binaryType, entityTag, type ServedFile } from '../answers/served-file.js';
import type { StockImage } from './stock-image.js';

/** What goes into the room of an image, without what fills the rest of it. Problems: media/too-large. */
export async function packedForIso({ iso }: StockImage, config: Buffer): Promise<Result<Buffer>> {
  const embedded = await embedConfig(iso, config);
  if (!embedded.ok) return embedded;
  const { patches, usedBytes } = embedded.value;
  const [area] = patches;
  // A copy: the room is many times what is in it.
  return success(Buffer.from(area?.bytes.subarray(0, usedBytes) ?? []));
}

/** The same as an initramfs of its own. */
export function packedForInitrd(config: Buffer): Promise<Buffer> {
  return packInitrd(liveFiles(config, networkBeside(config)));
}

/** The image with a site's config, and what the kernel is told, laid over what is read of it. */
export function isoFile(
  { base, iso, id, emptyRoom }: StockImage,
  { digest, packed }: { readonly digest: string; readonly packed: () => Promise<Buffer> },
): ServedFile {
  const { area, argumentPatches } = iso;
  const told = argumentPatches.map(({ offset, bytes }) => `${offset} ${sha256(bytes)}`);
  return {
    bytes: base.bytes,
    etag: entityTag(id, base.etag, digest, ...told),
    type: binaryType,
    read: async (offset, length, into) => {
      const bytes = await base.read(offset, length, into);
      if (bytes === undefined) return undefined;
      const isMet = offset < area.offset + area.length && offset + length > area.offset;
      if (!isMet) return patchedPiece(bytes, offset, argumentPatches);
      const config = await packed();
      if (sha256(config) !== digest) return undefined;
      const room: readonly Patch[] = [emptyRoom, config].map((each) => ({
        offset: area.offset,
        bytes: each,
      }));
      return patchedPiece(bytes, offset, [...room, ...argumentPatches]);
    },
  };
}
