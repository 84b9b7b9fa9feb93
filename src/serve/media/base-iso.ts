import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { isoSource } from '../../run/media/iso-source.js';
import { openImage } from '../../disk/image/image-file.js';
import { openShared, type SharedImage } from './shared-image.js';
import type { DiskImage, ByteRange } from '../../formats/disk-image.js';
import { locatedIn, openVolume, type IsoVolume } from '../../media/iso-volume.js';
import type { ImageFacts } from '../../media/image-mismatches.js';
import { checkLiveIso, imageFactsOf, type CheckedIso } from '../../media/single-node-iso.js';
import { binaryType, entityTag, type ServedFile } from '../answers/served-file.js';

export interface BaseIsoOptions {
  readonly path: string;
  /** Kernel arguments to append. */
  readonly kernelArguments: readonly string[];
  /** Returns the URL of the root file system for an image ID. Set only for a minimal ISO. */
  readonly rootfsUrl?: (id: string) => string;
}

/** The base live ISO that all sites share, without any site data. */
export interface BaseIso {
  /** The ISO, or the minimal ISO built from it. */
  readonly base: ServedFile;
  readonly iso: CheckedIso;
  /** 32 hexadecimal digits, unique to this image. */
  readonly id: string;
  /** System, release and machines of the image. */
  readonly facts: ImageFacts;
  /** Zeros, as long as the embed area. */
  readonly emptyRoom: Buffer;
  /** Kernel, initramfs and root file system by file name. The same for all sites, not secret. */
  readonly netboot: ReadonlyMap<string, ServedFile>;
  readonly close: () => void;
}

/** Files in `images/pxeboot` of the ISO. Source: coreos-installer src/live/mod.rs */
const netbootFiles = ['vmlinuz', 'initrd.img', 'rootfs.img'] as const;

/** Opens the live ISO and hashes it. Problems: usage/unreadable-file, those of media/*. */
export async function openBaseIso(order: BaseIsoOptions): Promise<Result<BaseIso>> {
  const sync = openImage('--iso', order.path);
  if (!sync.ok) return sync;
  const volume = locatedIn(sync.value.image, openVolume(sync.value.image));
  const shared = volume.ok ? openShared('--iso', order.path) : volume;
  const close = (): void => {
    sync.value.close();
    if (shared.ok) shared.value.close();
  };
  const opened =
    volume.ok && shared.ok
      ? await stockOf(sync.value.image, { shared: shared.value, volume: volume.value }, order)
      : failure(...problemsOf(shared));
  if (!opened.ok) close();
  return opened.ok ? success({ ...opened.value, close }, opened.warnings) : opened;
}

async function stockOf(
  image: DiskImage,
  { shared, volume }: { readonly shared: SharedImage; readonly volume: IsoVolume },
  { kernelArguments, rootfsUrl }: BaseIsoOptions,
): Promise<Result<Omit<BaseIso, 'close'>>> {
  const id = shared.sha256.slice(0, 32);
  const source = await isoSource(image, rootfsUrl?.(id), {});
  if (!source.ok) return source;
  const words = [...source.value.kernelArguments, ...kernelArguments];
  const iso = await checkLiveIso(source.value.image, {
    force: false,
    kernelArguments: words,
    fetchesRoot: rootfsUrl !== undefined,
  });
  if (!iso.ok) return failure(...[source, iso].flatMap(problemsOf));
  return success(
    {
      base: rootfsUrl ? minimalFile(source.value.image, shared, id) : wholeFile(shared, id),
      iso: iso.value,
      id,
      netboot: netbootOf(volume, shared, id),
      facts: imageFactsOf(volume),
      emptyRoom: Buffer.alloc(iso.value.area.length),
    },
    [...source.warnings, ...iso.warnings],
  );
}

function wholeFile(shared: SharedImage, id: string): ServedFile {
  const { bytes } = shared;
  return {
    bytes,
    etag: entityTag(id),
    type: binaryType,
    read: (offset, length, into) => shared.read(offset, length, into),
  };
}

/** Reads the unchanged parts from the ISO file and the rest from memory. */
function minimalFile(image: DiskImage, shared: SharedImage, id: string): ServedFile {
  return {
    bytes: image.bytes,
    etag: entityTag(id, 'minimal'),
    type: binaryType,
    read: async (offset, length) => ((await shared.isUnchanged()) ? image.read(offset, length) : undefined),
  };
}

function netbootOf(volume: IsoVolume, shared: SharedImage, id: string): BaseIso['netboot'] {
  return new Map(
    netbootFiles.flatMap((name) => {
      const stretch = volume.find(`images/pxeboot/${name}`);
      return stretch === undefined
        ? []
        : [[name, stretchFile(shared, stretch, entityTag(id, name))] as const];
    }),
  );
}

function stretchFile(shared: SharedImage, { offset, length }: ByteRange, etag: string): ServedFile {
  return {
    bytes: length,
    etag,
    type: binaryType,
    read: (from, wanted, into) =>
      from + wanted > length ? Promise.resolve(undefined) : shared.read(offset + from, wanted, into),
  };
}
