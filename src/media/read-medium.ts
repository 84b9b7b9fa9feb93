import type { Problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import type { DiskImage } from '../formats/disk-image.js';
import { bootProblems, rootfsProblems } from './boot-files.js';
import { embedAreaOf } from './embed-area.js';
import { isInitrd, readInitrd, type InitrdFiles } from './initrd.js';
import { isIso, locatedIn, openVolume, type IsoVolume } from './iso-volume.js';
import { kernelArgumentsOf } from './kernel-arguments.js';
import { liveVolumeIn, rootfsFile, rootfsUrlIn } from './root-arguments.js';
import { machineOf, releaseOf, type MachineName } from './machine-of.js';
import { configName } from './live-files.js';
import { findPayload } from './payload/appended-payload.js';
import { readPayloadFile, type PayloadFacts } from './payload/payload-file.js';

/** The configs in a live ISO or initrd overlay. */
export interface Medium {
  /** By path; the config is at `config.ign`. */
  readonly files: InitrdFiles;
  /** Properties of an ISO; absent for an initrd overlay. */
  readonly iso?: IsoFacts;
}

export interface IsoFacts {
  readonly volume: string;
  readonly machine?: MachineName;
  /** `<major>.<minor>` of OpenShift, if the volume ID contains it. */
  readonly release?: string;
  /** Size and used size of the embed area. */
  readonly configArea: { readonly bytes: number; readonly usedBytes: number };
  /** Only for a minimal image: the URL of its root file system; `url` is absent if the kernel arguments do not contain one. */
  readonly rootfs?: { readonly url?: string };
  /** Current and original kernel arguments; absent if the image has no area for them. */
  readonly kernelArguments?: { readonly text: string; readonly original?: string };
  /** The payload behind the volume; its facts are absent if its manifest cannot be read. */
  readonly payload?: AppendedPayload;
}

export type AppendedPayload = Partial<PayloadFacts>;

/**
 * Reads a live ISO or an initrd overlay; undefined for any other file. An ISO that does not boot is an error, except a minimal one
 * without the URL of its root file system. Problems: media/damaged, media/no-embed-area, media/unknown-packing, media/no-rootfs.
 */
export async function readMedium(image: DiskImage): Promise<Result<Medium | undefined>> {
  if (isIso(image)) {
    const volume = openVolume(image);
    return locatedIn(image, volume.ok ? await readIso(volume.value) : volume);
  }
  const bytes = isInitrd(image.read(0, 6)) && image.bytes <= maxOverlayBytes && image.read(0, image.bytes);
  if (!bytes) return success(undefined);
  const files = await readInitrd(bytes);
  return files.ok ? success({ files: files.value }) : files;
}

/** An overlay contains configs and network files only; the initrd of an image is many times larger. */
const maxOverlayBytes = 16 * 1024 * 1024;

export function configOf({ files }: Medium): Buffer | undefined {
  return files.get(configName)?.contents;
}

async function readIso(volume: IsoVolume): Promise<Result<Medium>> {
  const area = embedAreaOf(volume);
  if (!area.ok) return area;
  const bytes = volume.image.read(area.value.offset, area.value.length) ?? Buffer.alloc(0);
  const files = await readInitrd(bytes);
  const present = argumentsOf(volume);
  const faults = [...bootProblems(volume), ...rootProblems(volume, present)];
  if (!files.ok || !present.ok || faults.length > 0)
    return failure(...[files, present].flatMap(problemsOf), ...faults);
  const [machine, release, kernelArguments] = [machineOf(volume), releaseOf(volume.id), present.value];
  const payload = appendedPayload(volume.image);
  return success({
    files: files.value,
    iso: {
      volume: volume.id,
      configArea: { bytes: bytes.length, usedBytes: usedBytes(bytes) },
      ...(machine && { machine }),
      ...(release !== undefined && { release }),
      ...(kernelArguments && { kernelArguments, ...fetchedRootIn(kernelArguments.text) }),
      ...(payload && { payload }),
    },
  });
}

function appendedPayload(medium: DiskImage): AppendedPayload | undefined {
  const image = findPayload(medium);
  if (image === undefined) return undefined;
  const read = readPayloadFile(image, '');
  if (!read.ok) return {};
  const { release, fileSystem } = read.value.manifest;
  return { release: release.version, sha256: fileSystem.sha256 };
}

function fetchedRootIn(text: string): Pick<IsoFacts, 'rootfs'> {
  if (liveVolumeIn(text) !== undefined) return {};
  const url = rootfsUrlIn(text);
  return { rootfs: { ...(url !== undefined && { url }) } };
}

/** Undefined for an image without an area for kernel arguments. */
function argumentsOf(volume: IsoVolume): Result<IsoFacts['kernelArguments']> {
  const present = kernelArgumentsOf(volume);
  if (!present.ok)
    return present.problems.every(({ code }) => code === 'media/no-kernel-arguments')
      ? success(undefined)
      : present;
  const { text, original } = present.value;
  return success({ text, ...(original !== undefined && { original }) });
}

function rootProblems(volume: IsoVolume, present: Result<IsoFacts['kernelArguments']>): readonly Problem[] {
  if (!present.ok) return [];
  const text = present.value?.text;
  const isMinimal =
    volume.find(rootfsFile) === undefined && text !== undefined && liveVolumeIn(text) === undefined;
  return isMinimal ? [] : rootfsProblems(volume, text);
}

/** Length up to the last byte that is not zero; coreos-installer pads with zeros. */
function usedBytes(area: Buffer): number {
  let end = area.length;
  while (end > 0 && area[end - 1] === 0) end -= 1;
  return end;
}
