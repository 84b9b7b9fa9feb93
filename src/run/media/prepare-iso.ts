import { resolve } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { needsWriting } from '../../disk/image/image-file.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { expectedImage, type ExpectedImage } from '../../media/image-mismatches.js';
import { checkLiveIso, type CheckedIso } from '../../media/single-node-iso.js';
import { isoSource, type IsoSource } from './iso-source.js';

/** Options for a live image. */
export interface IsoRequest {
  /** Whether an embedded config may be overwritten, and an image of another release used. */
  readonly force: boolean;
  /** Whether existing files are replaced. */
  readonly overwrite: boolean;
  /** Additional kernel arguments. */
  readonly kernelArguments: readonly string[];
  /** Path of the output. */
  readonly out: string;
  /** For a minimal image: the URL of its root file system and the file to write it to. */
  readonly rootfs?: string;
  readonly rootfsOut?: string;
}

/** A live image that is ready for its config. */
export interface PreparedIso {
  readonly source: IsoSource;
  readonly iso: CheckedIso;
  /** Kernel arguments to append. */
  readonly kernelArguments: readonly string[];
  /** The file to which the root file system of a minimal image must still be written. */
  readonly rootfsFile?: string;
}

/** Finds every fault of an image and of its output paths. Problems: those of media/*. */
export async function prepareIso(
  image: DiskImage,
  { force, overwrite, out, rootfs, rootfsOut, ...request }: IsoRequest,
  wanted: ExpectedImage,
): Promise<Result<PreparedIso>> {
  const expected = expectedImage(wanted, force);
  const source = await isoSource(image, rootfs, expected);
  if (!source.ok) return source;
  const kernelArguments = [...source.value.kernelArguments, ...request.kernelArguments];
  const order = { force, kernelArguments, fetchesRoot: rootfs !== undefined, ...expected };
  const iso = await checkLiveIso(source.value.image, order);
  const file =
    rootfsOut === undefined
      ? success(undefined)
      : rootfsPlace(source.value, { path: rootfsOut, out, overwrite });
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

/** The file, or undefined if it already has the same contents. */
function rootfsPlace(
  { minimal }: IsoSource,
  { path, out, overwrite }: { readonly path: string; readonly out: string; readonly overwrite: boolean },
): Result<string | undefined> {
  if (minimal === undefined) return success(undefined);
  if (resolve(path) === resolve(out)) {
    const message = '--out and --rootfs-out name the same file';
    return failure(problem('media/output', message, { hint: 'name two' }));
  }
  const found = needsWriting(path, minimal.rootfs, { overwrite });
  return found.ok ? success(found.value ? path : undefined) : found;
}
