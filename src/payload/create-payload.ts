import { manifestSuffix, manifestText } from '../config/reading/payload-manifest.js';
import type { PayloadManifest, WholePayloadManifest } from '../config/schema/payload-schema.js';
import { inParallel } from '../core/in-parallel.js';
import { problem, type Problem } from '../core/problem.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { checkImagePath, openImage } from '../disk/image/image-file.js';
import { spaceFault } from '../disk/free-space.js';
import type { ImageSource } from '../disk/payload/image-source.js';
import { payloadDraft, type PayloadDraft } from '../disk/payload/payload-draft.js';
import { openStaging, type Staging } from '../disk/payload/staging.js';
import { replaceFile } from '../disk/replace-file.js';
import { manifestTrailer } from '../media/payload/payload-file.js';
import { contentFaults, digestOf } from './check-payload.js';
import {
  collectImages,
  otherArchitecture,
  withSignatures,
  type CollectedImages,
  type PayloadRequest,
} from './collect-images.js';
import { composeStorage } from './compose-storage.js';
import { hexOf, type Digest } from '../media/payload/registry-storage.js';
import { checkMksquashfs, makeFileSystem } from './make-file-system.js';

/** A step, with counts of images or bytes. */
export type PayloadStep = 'reading manifests' | 'copying images' | 'writing' | 'verifying';

export interface PayloadTask {
  readonly request: PayloadRequest;
  readonly source: ImageSource;
  readonly out: string;
  readonly overwrite: boolean;
  /** Command line, for the message to a second run. */
  readonly command: string;
  /** Program and version. */
  readonly createdBy: string;
  readonly stop: AbortSignal;
  readonly onProgress: (step: PayloadStep, done: number, total: number) => void;
}

export interface CreatedPayload {
  readonly path: string;
  readonly manifestPath: string;
  readonly manifest: WholePayloadManifest;
  /** Size of the file. */
  readonly bytes: number;
}

/**
 * Copies all images of a release into one file. The file gets its name after every blob in it was read back. An interrupted run is
 * continued by the next one. Problems: payload/…, media/output, dir/locked, dir/not-writable.
 */
export async function createPayload(task: PayloadTask): Promise<Result<CreatedPayload>> {
  const { out, overwrite, command } = task;
  const place = checkImagePath(out, { overwrite });
  const program = await checkMksquashfs();
  if (!place.ok || !program.ok) return failure(...[place, program].flatMap(problemsOf));
  const staging = await openStaging(partialFolder(out), command);
  if (!staging.ok) return staging;
  const draft = payloadDraft(out);
  let isDone = false;
  try {
    const images = await collectImages(task.request, {
      ...task,
      staging: staging.value,
      onImage: (done, total) => {
        task.onProgress('reading manifests', done, total);
      },
    });
    const copied = images.ok ? await copyBlobs(images.value, staging.value, task) : images;
    if (!images.ok || !copied.ok) return failure(...problemsOf(copied));
    const written = await writePayload(images.value, { staging: staging.value, draft, task });
    isDone = written.ok;
    return written;
  } catch (error) {
    if (task.stop.aborted) return interrupted(out);
    throw error;
  } finally {
    draft.remove();
    staging.value.close(isDone ? 'done' : 'kept');
  }
}

/** The folder in which a payload is put together, which a failed run keeps. */
export function partialFolder(out: string): string {
  return `${out}.partial`;
}

function interrupted(out: string): Result<never> {
  const hint = 'run the command again: it continues the copy';
  return failure(problem('payload/pull', `the creation of ${out} was interrupted`, { hint }));
}

/** Blobs that are copied at once: enough to use a fast link, few enough for registries. */
const maxCopies = 4;

interface Copy {
  readonly image: string;
  readonly digest: Digest;
  readonly bytes: number;
}

async function copyBlobs(
  { images, release: { architecture } }: CollectedImages,
  staging: Staging,
  { source, stop, onProgress, out }: PayloadTask,
): Promise<Result<void>> {
  const copies = new Map<Digest, Copy>();
  for (const { pulledAs, blobs } of withSignatures(images))
    for (const blob of blobs)
      if (!copies.has(blob.digest)) copies.set(blob.digest, { image: pulledAs, ...blob });
  const total = sum(copies.values());
  const missing = [...copies.values()].filter(({ digest }) => !staging.holds(hexOf(digest)));
  const needed = sum(missing);
  const space = spaceFault(out, needed + total, {
    purpose: ' with the folder in which it is put together',
    hint: 'free disk space, or name another place with --out',
  });
  if (space !== undefined) return failure(space);
  let done = total - needed;
  const problems: Problem[] = [];
  await inParallel(missing, maxCopies, async ({ image, digest }) => {
    // Missing blobs are listed together; any other fault ends the copy.
    const isOver = problems.some(({ code }) => code !== 'payload/missing-image');
    if (stop.aborted || isOver) return;
    const copied = await source.blob({ image, digest }, staging, (bytes) => {
      done += bytes;
      onProgress('copying images', done, total);
    });
    problems.push(...problemsOf(copied));
  });
  if (problems.length > 0) return failure(...problems);
  if (stop.aborted) return interrupted(out);
  const odd = images.flatMap((image) => {
    const other = otherArchitecture(image, architecture, staging);
    return other === undefined ? [] : [architectureProblem(image.pulledAs, other, architecture)];
  });
  return odd.length === 0 ? success(undefined) : failure(...odd);
}

function architectureProblem(image: string, other: string, wanted: string): Problem {
  const message = `${image} is for ${other}, but the release is for ${wanted}`;
  const hint = `name an image for ${wanted}, or one for several architectures`;
  return problem('payload/missing-image', message, { hint });
}

function sum(copies: Iterable<Copy>): number {
  return [...copies].reduce((bytes, copy) => bytes + copy.bytes, 0);
}

interface Writing {
  readonly staging: Staging;
  readonly draft: PayloadDraft;
  readonly task: PayloadTask;
}

async function writePayload(
  images: CollectedImages,
  { staging, draft, task }: Writing,
): Promise<Result<CreatedPayload>> {
  const { out, overwrite, createdBy, stop, onProgress } = task;
  const inner = manifestOf(images, createdBy);
  const composed = composeStorage(images, inner, staging);
  if (!composed.ok) return composed;
  const made = await makeFileSystem(staging.root, draft.path, {
    stop,
    onBytes: (bytes) => {
      onProgress('writing', Math.min(bytes, inner.blobs.bytes), inner.blobs.bytes);
    },
  });
  if (!made.ok) return made;
  const opened = openImage('the file', draft.path);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  try {
    let verified = 0;
    const checking = {
      stop,
      onBytes: (bytes: number): void => {
        verified += bytes;
        // Every byte is read twice.
        onProgress('verifying', verified / 2, image.bytes);
      },
    };
    const fileSystem = { bytes: image.bytes, sha256: await digestOf(image, checking) };
    const faults = await contentFaults(image, inner, checking);
    if (faults.length > 0) return notWhole(out, faults);
    const manifest = { ...inner, fileSystem };
    const text = manifestText(manifest);
    const trailer = manifestTrailer(text);
    const manifestPath = `${out}${manifestSuffix}`;
    const appended = draft.append(trailer);
    // The payload last: it exists only with its manifest.
    const noted = appended.ok ? replaceFile(manifestPath, text, { mode: 0o644 }) : appended;
    const finished = noted.ok ? draft.finish({ overwrite }) : noted;
    if (!finished.ok) return finished;
    return success({ path: out, manifestPath, manifest, bytes: image.bytes + trailer.length });
  } finally {
    close();
  }
}

/** The disk returned other bytes than were written to it, or mksquashfs has a fault. */
function notWhole(out: string, faults: readonly string[]): Result<never> {
  const [first = ''] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  const hint = 'check the disk, and run the command again';
  return failure(problem('payload/damaged', `${out} was written wrongly: ${first}${more}`, { hint }));
}

function manifestOf({ release, registry, images }: CollectedImages, createdBy: string): PayloadManifest {
  const stored = withSignatures(images);
  const blobs = new Map(stored.flatMap((image) => image.blobs.map(({ digest, bytes }) => [digest, bytes])));
  const manifests = new Set(stored.flatMap((image) => image.manifests));
  return {
    apiVersion: 'sno-install/v1alpha1',
    kind: 'Payload',
    release,
    registry,
    images: images.map(({ name, image, repository, digest, mediaType, bytes, signature }) => ({
      ...(name !== undefined && { name }),
      ...{ image, repository, digest, mediaType, bytes },
      ...(signature && { signature: signature.digest }),
    })),
    blobs: {
      count: blobs.size + manifests.size,
      bytes: [...blobs.values()].reduce((total, bytes) => total + bytes, 0),
    },
    createdBy,
  };
}
