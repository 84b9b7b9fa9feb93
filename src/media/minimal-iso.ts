import { problem, type Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, problemsOf, resultOf, success, type Result } from '../core/result.js';
import {
  imageRange,
  patchedImage,
  type DiskImage,
  type Patch,
  type ByteRange,
} from '../formats/disk-image.js';
import { rootfsOf } from './boot-files.js';
import { embedAreaOf } from './embed-area.js';
import { damagedImage, locatedIn, openVolume, type IsoVolume } from './iso-volume.js';
import {
  argumentPatches,
  kernelArgumentsOf,
  defaultArgumentsPatch,
  type KernelArguments,
} from './kernel-arguments.js';
import { minimalImage, minisoDataOf } from './miniso/minimal-image.js';
import { imageMismatches, type ExpectedImage } from './image-mismatches.js';
import { buildIn, rootfsSource, sourceFacts } from './pxe-sources.js';
import { rootfsArgument, withoutRootArguments } from './root-arguments.js';

/** Options for extracting a minimal image. */
export interface MinimalIsoOptions extends ExpectedImage {
  /** The user's URL of the root file system. */
  readonly rootfs: string;
}

/** A minimal image that was extracted from a live image. */
export interface MinimalIso {
  /** Contains the live image's embed area and its added kernel arguments. */
  readonly image: DiskImage;
  /** The kernel argument with the URL of the root file system. */
  readonly argument: string;
  readonly rootfsUrl: URL;
  /** The live image's root file system, which the minimal image does not contain. */
  readonly rootfs: DiskImage;
}

/**
 * Extracts the minimal image from a live image. It does not contain the root file system; the live system downloads it.
 * Problems: media/not-an-iso, media/damaged, media/no-embed-area, media/no-kernel-arguments, media/no-minimal, media/pxe-source,
 * media/architecture, media/release.
 */
export async function extractMinimalIso(
  full: DiskImage,
  { rootfs, ...wanted }: MinimalIsoOptions,
): Promise<Result<MinimalIso>> {
  const url = rootfsSource(rootfs);
  const minimal = locatedIn(full, await takeMinimal(full));
  const found = url.ok
    ? [
        ...imageMismatches(sourceFacts(url.value), wanted, 'the root file system at --rootfs'),
        ...otherBuild(full, url.value),
      ]
    : [];
  if (!url.ok || !minimal.ok) return failure(...found, ...[url, minimal].flatMap(problemsOf));
  return resultOf({ ...minimal.value, rootfsUrl: url.value, argument: rootfsArgument(url.value) }, found);
}

/** The initramfs accepts only a root file system of the same build. Compares names of builds, not those of the mirror. */
function otherBuild(full: DiskImage, url: URL): readonly Problem[] {
  const volume = openVolume(full);
  const [id, build = ''] = [volume.ok ? volume.value.id : '', buildIn(url)];
  const areBuilds = [id, build].every((name) => /^[a-z-]+-\d+\.\d+\.\d{8,12}-\d+$/.test(name));
  if (!areBuilds || id === build) return [];
  const message = `the root file system at --rootfs is of ${quoted(build)}, but the image is ${quoted(id)}`;
  const hint = 'use the root file system of the image, for example the file of --rootfs-out';
  return [problem('media/release', message, { hint })];
}

async function takeMinimal(full: DiskImage): Promise<Result<Pick<MinimalIso, 'image' | 'rootfs'>>> {
  const volume = openVolume(full);
  if (!volume.ok) return volume;
  const data = minisoDataOf(volume.value);
  if (!data.ok) return data;
  const held = customizationsOf(volume.value);
  if (!held.ok) return held;
  const minimal = await minimalImage(patchedImage(full, asDownloaded(held.value)), data.value);
  if (!minimal.ok) return minimal;
  const rootfs = rootfsOf(volume.value);
  if (!rootfs.ok) return rootfs;
  const image = carriedOver(minimal.value, held.value);
  return image.ok ? success({ image: image.value, rootfs: imageRange(full, rootfs.value) }) : image;
}

/** The parts of a live image that can be customized. */
interface Customizations {
  readonly area: ByteRange;
  readonly bytes: Buffer;
  readonly kernelArguments: KernelArguments;
}

function customizationsOf(volume: IsoVolume): Result<Customizations> {
  const [area, present] = [embedAreaOf(volume), kernelArgumentsOf(volume)];
  if (!area.ok) return area;
  if (!present.ok) return present;
  const bytes = volume.image.read(area.value.offset, area.value.length);
  return bytes === undefined
    ? damagedImage('the space for the Ignition config is beyond its end')
    : success({ area: area.value, bytes, kernelArguments: present.value });
}

/** Patches that restore the image as downloaded. The checksum of the minimal image is only valid for that. */
function asDownloaded({ area, kernelArguments }: Customizations): readonly Patch[] {
  const { areas, text, original = text } = kernelArguments;
  return [{ offset: area.offset, bytes: Buffer.alloc(area.length) }, ...argumentPatches(areas, original)];
}

/** Copies the customizations of the full image to the minimal one, without the argument for the location of the root file system. */
function carriedOver(minimal: DiskImage, { bytes, kernelArguments }: Customizations): Result<DiskImage> {
  const volume = openVolume(minimal);
  const held = volume.ok ? customizationsOf(volume.value) : volume;
  if (!volume.ok || !held.ok) return damagedImage('its minimal image is not a live image');
  const { area, kernelArguments: its } = held.value;
  const text = withoutRootArguments(kernelArguments.text);
  const description = defaultArgumentsPatch(volume.value, withoutRootArguments(its.original ?? its.text));
  if (!description.ok) return description;
  const hasRoom = bytes.length === area.length && its.areas.every(({ length }) => text.length < length);
  if (!hasRoom) return damagedImage('its minimal image has a different space for the config');
  const patches = [{ offset: area.offset, bytes }, ...argumentPatches(its.areas, text)];
  return success(patchedImage(minimal, [...patches, description.value]));
}
