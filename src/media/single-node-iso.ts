import { problem } from '../core/problem.js';
import { failure, problemsOf, resultOf, success, type Result } from '../core/result.js';
import type { DiskImage, Patch, ByteRange } from '../formats/disk-image.js';
import { bootProblems, rootfsProblems } from './boot-files.js';
import { embedAreaOf } from './embed-area.js';
import { packInitrd, readInitrd, type InitrdFiles } from './initrd.js';
import { locatedIn, openPartialVolume, openVolume, type IsoVolume } from './iso-volume.js';
import { kernelArgumentsOf, appendedArguments, type KernelArguments } from './kernel-arguments.js';
import { configName, liveFiles } from './live-files.js';
import { rootfsUrlIn } from './root-arguments.js';
import { machineOf, releaseOf } from './machine-of.js';
import { initramfsNetworkFiles } from './initramfs-network-files.js';
import { imageMismatches, type ImageFacts, type ExpectedImage } from './image-mismatches.js';

/** Options for embedding a config in a live image. */
export interface IsoOptions extends ExpectedImage {
  /** Overwrite an existing config and an unreadable embed area. */
  readonly force: boolean;
  /** Words to append to the kernel arguments. */
  readonly kernelArguments: readonly string[];
  /** The live system downloads its root file system, so its initramfs needs the config's network profiles. */
  readonly fetchesRoot?: boolean;
}

/** A checked live image, ready for a config. */
export interface CheckedIso {
  readonly area: ByteRange;
  /** Files in the embed area that are kept, such as network profiles. */
  readonly others: InitrdFiles;
  readonly argumentPatches: readonly Patch[];
  readonly fetchesRoot: boolean;
  readonly facts: ImageFacts;
}

/**
 * Checks a live image before a config is generated: that it is whole, that a machine boots from it, and that it has space. Problems:
 * media/not-an-iso, media/damaged, media/no-embed-area, media/unknown-packing, media/config-present, media/architecture, media/release,
 * media/no-rootfs, media/no-kernel-arguments, media/kernel-arguments.
 */
export async function checkLiveIso(image: DiskImage, order: IsoOptions): Promise<Result<CheckedIso>> {
  return locatedIn(image, await checkImage(image, order));
}

async function checkImage(image: DiskImage, order: IsoOptions): Promise<Result<CheckedIso>> {
  const volume = openVolume(image);
  if (!volume.ok) return volume;
  const area = embedAreaOf(volume.value);
  if (!area.ok) return area;
  const held = await filesIn(volume.value, area.value, order);
  const present = kernelArgumentsOf(volume.value);
  const patches = patchesOfArguments(present, order);
  const facts = imageFactsOf(volume.value);
  const words = [...(present.ok ? [present.value.text] : []), ...order.kernelArguments].join(' ');
  const found = [
    ...imageMismatches(facts, order),
    ...bootProblems(volume.value),
    ...rootfsProblems(volume.value, present.ok ? words : undefined),
  ];
  if (!held.ok || !patches.ok) return failure(...found, ...[held, patches].flatMap(problemsOf));
  return resultOf(
    {
      area: area.value,
      others: held.value,
      argumentPatches: patches.value,
      fetchesRoot: order.fetchesRoot === true || rootfsUrlIn(words) !== undefined,
      facts,
    },
    found,
  );
}

async function filesIn(
  { image }: IsoVolume,
  { offset, length }: ByteRange,
  { force }: IsoOptions,
): Promise<Result<InitrdFiles>> {
  const bytes = image.read(offset, length);
  const read = await readInitrd(bytes ?? Buffer.alloc(0));
  if (!read.ok) return force ? success(new Map()) : read;
  if (!read.value.has(configName)) return read;
  if (!force) {
    const hint = 'use the image as downloaded, or overwrite the config with --force';
    return failure(
      problem('media/config-present', 'the image already contains an Ignition config', { hint }),
    );
  }
  return success(new Map([...read.value].filter(([path]) => path !== configName)));
}

/** System, release and architecture of a live image. */
export function imageFactsOf(volume: IsoVolume): ImageFacts {
  const [machine, release] = [machineOf(volume), releaseOf(volume.id)];
  return { volume: volume.id, ...(machine && { machine }), ...(release !== undefined && { release }) };
}

/** An image without space for kernel arguments is accepted if none are added. */
function patchesOfArguments(
  present: Result<KernelArguments>,
  { kernelArguments }: IsoOptions,
): Result<readonly Patch[]> {
  if (present.ok)
    return kernelArguments.length === 0 ? success([]) : appendedArguments(present.value, kernelArguments);
  const isOld = present.problems.every(({ code }) => code === 'media/no-kernel-arguments');
  return isOld && kernelArguments.length === 0 ? success([]) : present;
}

/** Patches that embed a config in a live image, and the used size of the embed area. Problems: media/too-large. */
export async function embedConfig(
  { area, others, argumentPatches, fetchesRoot }: CheckedIso,
  config: Buffer,
): Promise<Result<{ readonly patches: readonly Patch[]; readonly usedBytes: number }>> {
  const beside = [...(fetchesRoot ? initramfsNetworkFiles(config) : []), ...others.values()];
  const packed = await packInitrd(liveFiles(config, beside));
  if (packed.length > area.length) {
    const message = `the compressed Ignition config has ${packed.length} bytes, but the image has space for ${area.length}`;
    return failure(problem('media/too-large', message));
  }
  const bytes = Buffer.concat([packed, Buffer.alloc(area.length - packed.length)]);
  return success({
    patches: [{ offset: area.offset, bytes }, ...argumentPatches],
    usedBytes: packed.length,
  });
}

/**
 * Reads the config of a live image as Ignition would; undefined if it has none. The end of the image may be missing, as after a killed
 * copy. Problems: media/not-an-iso, media/damaged, media/no-embed-area, media/unknown-packing.
 */
export async function readIsoConfig(image: DiskImage): Promise<Result<Buffer | undefined>> {
  const volume = openPartialVolume(image);
  if (!volume.ok) return volume;
  const area = embedAreaOf(volume.value);
  if (!area.ok) return area;
  const files = await readInitrd(image.read(area.value.offset, area.value.length) ?? Buffer.alloc(0));
  return files.ok ? success(files.value.get(configName)?.contents) : files;
}

/** Whether the kernel arguments of a live image end with these words. */
export function endsWithArguments(image: DiskImage, kernelArguments: readonly string[]): boolean {
  const words = kernelArguments.join(' ');
  const volume = openVolume(image);
  const present = volume.ok ? kernelArgumentsOf(volume.value) : volume;
  return words === '' || (present.ok && ` ${present.value.text}`.endsWith(` ${words}`));
}
