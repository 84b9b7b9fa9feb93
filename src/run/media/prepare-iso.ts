import { resolve } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { isToBeWritten } from '../../disk/image/image-file.js';
import type { DiskImage } from '../../formats/disk-image.js';
import type { WantedImage } from '../../media/mismatches.js';
import { openLiveIso, type OpenIso } from '../../media/single-node-iso.js';
import { isoSource, type IsoSource } from './iso-source.js';

/** What is wanted of a live image. */
export interface IsoWish {
  /** Whether what it holds already may be written over. */
  readonly force: boolean;
  /** What its kernel is told beside what it was. */
  readonly kernelArguments: readonly string[];
  /** Where it goes, as a path. */
  readonly out: string;
  /** Of a minimal image: where its root file system is fetched from, and the file that it is written to. */
  readonly rootfs?: string;
  readonly rootfsOut?: string;
}

/** A live image that only lacks its config. */
export interface PreparedIso {
  readonly source: IsoSource;
  readonly iso: OpenIso;
  /** What its kernel is told behind everything that it was. */
  readonly kernelArguments: readonly string[];
  /** The file that the root file system of a minimal image has still to be written to. */
  readonly rootfsFile?: string;
}

/** Finds everything that is wrong with an image and the places of what is made of it. Problems: those of media/*. */
export async function prepareIso(
  image: DiskImage,
  { force, out, rootfs, rootfsOut, ...wish }: IsoWish,
  wanted: WantedImage,
): Promise<Result<PreparedIso>> {
  const source = await isoSource(image, rootfs, wanted);
  if (!source.ok) return source;
  const kernelArguments = [...source.value.kernelArguments, ...wish.kernelArguments];
  const order = { force, kernelArguments, fetchesRoot: rootfs !== undefined, ...wanted };
  const iso = await openLiveIso(source.value.image, order);
  const file = rootfsOut === undefined ? success(undefined) : rootfsPlace(source.value, rootfsOut, out);
  if (!iso.ok || !file.ok) return failure(...[file, iso].flatMap(problemsOf));
  const rootfsFile = file.value;
  return success(
    {
      source: source.value,
      iso: iso.value,
      kernelArguments,
      ...(rootfsFile !== undefined && { rootfsFile }),
    },
    [...source.warnings, ...iso.warnings],
  );
}

/** The file, or undefined for one that holds the same already. */
function rootfsPlace({ minimal }: IsoSource, path: string, out: string): Result<string | undefined> {
  if (minimal === undefined) return success(undefined);
  if (resolve(path) === resolve(out)) {
    const message = '--out and --rootfs-out name the same file';
    return failure(problem('media/output', message, { hint: 'name two' }));
  }
  const found = isToBeWritten(path, minimal.rootfs);
  return found.ok ? success(found.value ? path : undefined) : found;
}
