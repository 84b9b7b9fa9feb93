import { manifestSuffix } from '../config/reading/payload-manifest.js';
import type { WholePayloadManifest } from '../config/schema/payload-schema.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { readNamedText } from '../disk/named-file.js';
import { fileSize } from '../disk/file-size.js';
import { openPayloadMedium } from '../disk/payload/open-medium.js';
import { damaged } from '../media/payload/payload-file.js';
import { contentFaults, fileSystemFault, type Checking } from './check-payload.js';

/** Faults that are shown, of possibly thousands. */
const maxFaults = 5;

/**
 * Reads a whole payload, in a file or on a disk, and compares it with its manifest, and this with the file `NAME.payload.json` if there is one. `onBytes` gets the bytes of
 * two passes. Problems: payload/damaged, those of `openPayloadMedium`.
 */
export async function verifyPayload(
  path: string,
  checking: Checking & { readonly onSize: (bytes: number) => void },
): Promise<Result<WholePayloadManifest>> {
  const opened = openPayloadMedium(path);
  if (!opened.ok) return opened;
  const { manifest, text, image, close } = opened.value;
  try {
    checking.onSize(manifest.fileSystem.bytes);
    const beside = `${path}${manifestSuffix}`;
    const other = fileSize(beside) === undefined ? success(text) : readNamedText('the file', beside);
    if (!other.ok) return other;
    if (other.value !== text) return damaged(beside, `it is the manifest of another payload than ${path}`);
    const fault = await fileSystemFault(image, manifest.fileSystem, checking);
    if (fault !== undefined) return damaged(path, fault);
    const faults = await contentFaults(image, manifest, checking);
    return faults.length === 0
      ? success(manifest)
      : failure(...faults.slice(0, maxFaults).flatMap((each) => problemsOf(damaged(path, each))));
  } finally {
    close();
  }
}
