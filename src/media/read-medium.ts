import { success, type Result } from '../core/result.js';
import type { DiskImage } from '../formats/disk-image.js';
import { embedAreaOf } from './embed-area.js';
import { isInitrd, readInitrd, type InitrdFiles } from './initrd.js';
import { isIso, openVolume, type IsoVolume } from './iso-volume.js';
import { kernelArgumentsOf } from './kernel-arguments.js';
import { hasRootOnImage, rootfsUrlIn } from './root-arguments.js';
import { machineOf, releaseOf, type MachineName } from './machine-of.js';
import { configName } from './live-files.js';

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
}

/** Reads a live ISO or an initrd overlay; undefined for any other file. Problems: media/damaged, media/no-embed-area, media/unknown-packing. */
export async function readMedium(image: DiskImage): Promise<Result<Medium | undefined>> {
  if (isIso(image)) {
    const volume = openVolume(image);
    return volume.ok ? readIso(volume.value) : volume;
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
  if (!files.ok) return files;
  const [machine, release, kernelArguments] = [machineOf(volume), releaseOf(volume.id), argumentsOf(volume)];
  return success({
    files: files.value,
    iso: {
      volume: volume.id,
      configArea: { bytes: bytes.length, usedBytes: usedBytes(bytes) },
      ...(machine && { machine }),
      ...(release !== undefined && { release }),
      ...(kernelArguments && { kernelArguments, ...fetchedRootIn(kernelArguments.text) }),
    },
  });
}

function fetchedRootIn(text: string): Pick<IsoFacts, 'rootfs'> {
  if (hasRootOnImage(text)) return {};
  const url = rootfsUrlIn(text);
  return { rootfs: { ...(url !== undefined && { url }) } };
}

function argumentsOf(volume: IsoVolume): IsoFacts['kernelArguments'] {
  const present = kernelArgumentsOf(volume);
  if (!present.ok) return undefined;
  const { text, original } = present.value;
  return { text, ...(original !== undefined && { original }) };
}

/** Length up to the last byte that is not zero; coreos-installer pads with zeros. */
function usedBytes(area: Buffer): number {
  let end = area.length;
  while (end > 0 && area[end - 1] === 0) end -= 1;
  return end;
}
