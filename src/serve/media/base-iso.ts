import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { isoSource } from '../../run/media/iso-source.js';
import { openImage } from '../../disk/image/image-file.js';
import { openBasePayload, payloadIn, servedWithPayload, type BasePayload } from './base-payload.js';
import { openShared, type SharedImage } from './shared-image.js';
import type { DiskImage, ByteRange } from '../../formats/disk-image.js';
import { locatedIn, openVolume, type IsoVolume } from '../../media/iso-volume.js';
import { findPayload } from '../../media/payload/appended-payload.js';
import { readPayloadFile } from '../../media/payload/payload-file.js';
import type { ImageFacts } from '../../media/image-mismatches.js';
import { checkLiveIso, imageFactsOf, type CheckedIso } from '../../media/single-node-iso.js';
import { binaryType, entityTag, type ServedFile } from '../answers/served-file.js';

export interface BaseIsoOptions {
  readonly path: string;
  /** Payload to append for the sites that install from it. */
  readonly payload?: string;
  /** Kernel arguments to append. */
  readonly kernelArguments: readonly string[];
  /** Returns the URL of the root file system for an image ID. Set only for a minimal ISO. */
  readonly rootfsUrl?: (id: string) => string;
}

/** The base live ISO that all sites share, without any site data. */
export interface BaseIso {
  /** The ISO, or the minimal ISO built from it. */
  readonly base: ServedFile;
  /** The payload, and the base with the payload behind it. */
  readonly payload?: BasePayload & { readonly whole: ServedFile };
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
  const { image } = sync.value;
  const parts = openParts(image, order);
  const close = (): void => {
    sync.value.close();
    if (parts.ok) parts.value.close();
  };
  const opened = parts.ok ? await stockOf(image, parts.value, order) : parts;
  if (!opened.ok) close();
  return opened.ok ? success({ ...opened.value, close }, opened.warnings) : opened;
}

interface OwnPayload extends Pick<BasePayload, 'path' | 'manifest'> {
  readonly offset: number;
  readonly fileSystem: ByteRange;
}

/** The payload that the live ISO already contains. Problems: payload/other, those of `readPayloadFile`. */
function ownPayload(image: DiskImage, { path, payload }: BaseIsoOptions): Result<OwnPayload | undefined> {
  const found = findPayload(image);
  if (found === undefined) return success(undefined);
  if (payload !== undefined)
    return failure(
      problem('payload/other', `${path} already contains a payload`, {
        hint: 'remove --payload, or use the live ISO as it was downloaded',
      }),
    );
  const read = readPayloadFile(found, path);
  if (!read.ok) return read;
  const { manifest } = read.value;
  const offset = image.bytes - found.bytes;
  return success({
    ...{ path, manifest, offset },
    fileSystem: { offset, length: manifest.fileSystem.bytes },
  });
}

interface OpenParts {
  readonly shared: SharedImage;
  readonly volume: IsoVolume;
  /** Size of the live ISO without its payload. */
  readonly liveBytes: number;
  readonly payload?: BasePayload;
}

/** Opens the live ISO for its readers, with the payload behind it or that of the order. */
function openParts(image: DiskImage, order: BaseIsoOptions): Result<OpenParts & Pick<BaseIso, 'close'>> {
  const volume = locatedIn(image, openVolume(image));
  if (!volume.ok) return volume;
  const own = ownPayload(image, order);
  if (!own.ok) return own;
  const shared = openShared('--iso', order.path, own.value?.fileSystem);
  if (!shared.ok) return shared;
  const named = order.payload === undefined ? success(undefined) : openBasePayload(order.payload);
  const payload = own.value === undefined ? named : payloadIn(shared.value, own.value);
  const close = (): void => {
    shared.value.close();
    if (named.ok) named.value?.close();
  };
  if (!payload.ok) {
    close();
    return payload;
  }
  const liveBytes = own.value?.offset ?? image.bytes;
  return success({
    ...{ shared: shared.value, volume: volume.value, liveBytes, close },
    ...(payload.value && { payload: payload.value }),
  });
}

async function stockOf(
  image: DiskImage,
  { shared, volume, liveBytes, payload }: OpenParts,
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
  const base = rootfsUrl
    ? minimalFile(source.value.image, shared, id)
    : stretchFile(shared, { offset: 0, length: liveBytes }, entityTag(id));
  return success(
    {
      base,
      ...(payload && { payload: { ...payload, whole: servedWithPayload(base, payload) } }),
      iso: iso.value,
      id,
      netboot: netbootOf(volume, shared, id),
      facts: imageFactsOf(volume),
      emptyRoom: Buffer.alloc(iso.value.area.length),
    },
    [...source.warnings, ...iso.warnings],
  );
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
