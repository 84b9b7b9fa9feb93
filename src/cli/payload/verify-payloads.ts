import type { WholePayloadManifest } from '../../config/schema/payload-schema.js';
import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { verifyPayload } from '../../payload/verify-payload.js';
import type { GlobalOptions } from '../options.js';
import { sizeText } from '../output/size-text.js';
import { payloadProgress } from '../progress.js';

export interface VerifiedPayloads {
  readonly problems: readonly Problem[];
  readonly text: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Reads payloads whole. */
export async function verifyPayloads(
  paths: readonly string[],
  options: GlobalOptions,
): Promise<VerifiedPayloads> {
  const problems: Problem[] = [];
  const lines: string[] = [];
  const data: Readonly<Record<string, unknown>>[] = [];
  for (const path of paths) {
    const progress = payloadProgress(options);
    let [done, total] = [0, 0];
    const verified = await verifyPayload(path, {
      stop: new AbortController().signal,
      onSize: (bytes) => {
        total = bytes;
      },
      onBytes: (bytes) => {
        done += bytes;
        // Every byte is read twice.
        progress.onProgress('verifying', done / 2, total);
      },
    });
    progress.done();
    problems.push(...problemsOf(verified));
    if (verified.ok) lines.push(lineOf(path, verified.value));
    data.push({ path, ok: verified.ok, ...(verified.ok && { release: verified.value.release }) });
  }
  return { problems, text: lines.map((line) => `${line}\n`).join(''), data };
}

function lineOf(path: string, { release, images, blobs, fileSystem }: WholePayloadManifest): string {
  return `${path}: OpenShift ${release.version} for ${release.architecture}, ${images.length} images and ${blobs.count} blobs in ${sizeText(fileSystem.bytes)} match the manifest`;
}
