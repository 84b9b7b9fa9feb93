import { join } from 'node:path';

import { isUnreceipted } from '../../bootable/unreceipted-iso.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { placeForImage } from '../../disk/image/image-file.js';
import { placeOfMediaReceipt } from '../../disk/receipt/media-receipt-place.js';
import type { RunRequest } from '../../run.js';
import { outputThere } from '../../sources/made-output.js';
import type { GlobalOptions, IsoOptions } from '../../command-line/options.js';
import { ignitionFile } from './made-config.js';

type PlaceOptions = GlobalOptions & IsoOptions;

/** Instead of a file. */
export const toStdout = '-';

/** Where an image goes, as a path. */
export function isoPath({ dir, out, iso, inPlace }: PlaceOptions): string {
  return inPlace === true ? iso : (out ?? join(dir, 'single-node.iso'));
}

/** Where its receipt goes. Problems: media/output. */
export function receiptPlace(options: PlaceOptions): Result<{ readonly receipt?: string }> {
  const path = isoPath(options);
  if (path === toStdout) return success({});
  const place = placeOfMediaReceipt(path);
  return place.ok ? success({ receipt: place.value }) : place;
}

/** Where the image goes, and whether it may. Problems: media/output. */
export async function isoPlace(options: PlaceOptions, request: RunRequest): Promise<Result<string>> {
  const { out, inPlace, output } = options;
  const refused = (message: string, hint: string): Result<string> =>
    failure(problem('media/output', message, { hint }));
  if (inPlace === true && out !== undefined)
    return refused('--in-place and --out exclude each other', 'leave one of them out');
  if (inPlace === true) return success(isoPath(options));
  if (out !== toStdout) return placeOfFile(isoPath(options), request);
  if (output === 'json') return refused('stdout takes the image or JSON, not both', 'use --out FILE');
  return process.stdout.isTTY
    ? refused('an image is not written to a terminal', 'use --out FILE')
    : success(toStdout);
}

/** An image that lacks nothing but its receipt, since its run was killed before that one, is no other machine's. */
async function placeOfFile(path: string, { dir, access }: RunRequest): Promise<Result<string>> {
  const place = placeForImage(path);
  if (place.ok) return place;
  const config = await outputThere(dir, ignitionFile, access);
  return config?.ok === true && (await isUnreceipted(path, Buffer.from(config.value)))
    ? success(path)
    : place;
}
