import { success, type Result } from '../core/result.js';
import type { DiskImage } from '../formats/disk-image.js';
import { embedAreaOf } from './embed-area.js';
import { isInitrd, readInitrd, type InitrdFiles } from './initrd.js';
import { isIso, openVolume, type IsoVolume } from './iso-volume.js';
import { kernelArgumentsOf } from './kernel-arguments.js';
import { hasRootOnImage, rootfsUrlIn } from './root-arguments.js';
import { machineOf, releaseOf, type MachineName } from './machine-of.js';
import { configName } from './live-files.js';

/** What a live system is started with, as far as configs are in it. */
export interface Medium {
  /** By path; the config among them is at `config.ign`. */
  readonly files: InitrdFiles;
  /** What only an ISO has, and an initrd overlay has not. */
  readonly iso?: IsoFacts;
}

/** What an ISO says of itself. */
export interface IsoFacts {
  readonly volume: string;
  readonly machine?: MachineName;
  /** `<major>.<minor>` of OpenShift, where the volume says it. */
  readonly release?: string;
  /** The room for the config, in bytes. */
  readonly area: { readonly bytes: number; readonly usedBytes: number };
  /** Of a minimal image: where its live system fetches its root from; `url` is absent where the kernel is not told. */
  readonly fetchedRoot?: { readonly url?: string };
  /** What its boot loaders give the kernel, and what they gave it when the image was made; absent of images without room for them. */
  readonly kernelArguments?: { readonly text: string; readonly original?: string };
}

/** What a live ISO or an initrd overlay holds; undefined for any other file. Problems: media/damaged, media/no-embed-area, media/unknown-packing. */
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

/** An overlay holds configs and network files; the initrd of an image is many times this. */
const maxOverlayBytes = 16 * 1024 * 1024;

/** The config that Ignition finds in a medium. */
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
      area: { bytes: bytes.length, usedBytes: usedBytes(bytes) },
      ...(machine && { machine }),
      ...(release !== undefined && { release }),
      ...(kernelArguments && { kernelArguments, ...fetchedRootIn(kernelArguments.text) }),
    },
  });
}

function fetchedRootIn(text: string): Pick<IsoFacts, 'fetchedRoot'> {
  if (hasRootOnImage(text)) return {};
  const url = rootfsUrlIn(text);
  return { fetchedRoot: { ...(url !== undefined && { url }) } };
}

function argumentsOf(volume: IsoVolume): IsoFacts['kernelArguments'] {
  const present = kernelArgumentsOf(volume);
  if (!present.ok) return undefined;
  const { text, original } = present.value;
  return { text, ...(original !== undefined && { original }) };
}

/** Up to the last byte that is not zero: so does coreos-installer fill the rest. */
function usedBytes(area: Buffer): number {
  let end = area.length;
  while (end > 0 && area[end - 1] === 0) end -= 1;
  return end;
}
