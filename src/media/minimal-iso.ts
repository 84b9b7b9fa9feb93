import { failure, problemsOf, resultOf, success, type Result } from '../core/result.js';
import { partOf, patched, type DiskImage, type Patch, type Stretch } from '../formats/disk-image.js';
import { embedAreaOf } from './embed-area.js';
import { damaged, openVolume, type IsoVolume } from './iso-volume.js';
import {
  argumentPatches,
  kernelArgumentsOf,
  originalPatch,
  type KernelArguments,
} from './kernel-arguments.js';
import { minimalImage, minisoDataOf } from './miniso/minimal-image.js';
import { mismatches, type WantedImage } from './mismatches.js';
import { factsOfSource, rootfsSource } from './pxe-sources.js';
import { rootfsArgument, withoutRoot } from './root-arguments.js';

/** Options for extracting a minimal image. */
export interface MinimalOrder extends WantedImage {
  /** The user's URL of the root file system. */
  readonly rootfs: string;
}

/** A minimal image that was extracted from a live image. */
export interface OpenMinimal {
  /** Contains the live image's embed area and its added kernel arguments. */
  readonly image: DiskImage;
  /** The kernel argument with the URL of the root file system. */
  readonly argument: string;
  readonly rootfsUrl: URL;
  /** The live image's root file system, which the minimal image does not contain. */
  readonly rootfs: DiskImage;
}

/** Source: coreos-installer src/live/mod.rs */
const rootfsFile = 'images/pxeboot/rootfs.img';

/**
 * Extracts the minimal image from a live image. It does not contain the root file system; the live system downloads it.
 * Warnings: media/release. Problems: media/not-an-iso, media/damaged, media/no-embed-area, media/no-kernel-arguments,
 * media/no-minimal, media/pxe-source, media/architecture.
 */
export async function openMinimalIso(
  full: DiskImage,
  { rootfs, ...wanted }: MinimalOrder,
): Promise<Result<OpenMinimal>> {
  const url = rootfsSource(rootfs);
  const taken = await takeMinimal(full);
  const found = url.ok
    ? mismatches(factsOfSource({ rootfs: url.value }), wanted, 'the root file system at --rootfs')
    : [];
  if (!url.ok || !taken.ok) return failure(...found, ...[url, taken].flatMap(problemsOf));
  return resultOf({ ...taken.value, rootfsUrl: url.value, argument: rootfsArgument(url.value) }, found);
}

async function takeMinimal(full: DiskImage): Promise<Result<Pick<OpenMinimal, 'image' | 'rootfs'>>> {
  const volume = openVolume(full);
  if (!volume.ok) return volume;
  const data = minisoDataOf(volume.value);
  if (!data.ok) return data;
  const held = heldBy(volume.value);
  if (!held.ok) return held;
  const minimal = await minimalImage(patched(full, asDownloaded(held.value)), data.value);
  if (!minimal.ok) return minimal;
  const rootfs = volume.value.find(rootfsFile);
  if (rootfs === undefined || rootfs.offset + rootfs.length > full.bytes)
    return damaged(`it has no ${rootfsFile}`);
  const image = carriedOver(minimal.value, held.value);
  return image.ok ? success({ image: image.value, rootfs: partOf(full, rootfs) }) : image;
}

/** The parts of a live image that can be customized. */
interface Held {
  readonly area: Stretch;
  readonly bytes: Buffer;
  readonly kernelArguments: KernelArguments;
}

function heldBy(volume: IsoVolume): Result<Held> {
  const [area, present] = [embedAreaOf(volume), kernelArgumentsOf(volume)];
  if (!area.ok) return area;
  if (!present.ok) return present;
  const bytes = volume.image.read(area.value.offset, area.value.length);
  return bytes === undefined
    ? damaged('the room for the Ignition config lies beyond its end')
    : success({ area: area.value, bytes, kernelArguments: present.value });
}

/** Patches that restore the image as downloaded. The checksum of the minimal image is only valid for that. */
function asDownloaded({ area, kernelArguments }: Held): readonly Patch[] {
  const { areas, text, original = text } = kernelArguments;
  return [{ offset: area.offset, bytes: Buffer.alloc(area.length) }, ...argumentPatches(areas, original)];
}

/** Copies the customizations of the full image to the minimal one, without the argument for the location of the root file system. */
function carriedOver(minimal: DiskImage, { bytes, kernelArguments }: Held): Result<DiskImage> {
  const volume = openVolume(minimal);
  const held = volume.ok ? heldBy(volume.value) : volume;
  if (!volume.ok || !held.ok) return damaged('its minimal image is no live image');
  const { area, kernelArguments: its } = held.value;
  const text = withoutRoot(kernelArguments.text);
  const description = originalPatch(volume.value, withoutRoot(its.original ?? its.text));
  if (!description.ok) return description;
  const hasRoom = bytes.length === area.length && its.areas.every(({ length }) => text.length < length);
  if (!hasRoom) return damaged('its minimal image keeps another room for a config');
  const patches = [{ offset: area.offset, bytes }, ...argumentPatches(its.areas, text)];
  return success(patched(minimal, [...patches, description.value]));
}
