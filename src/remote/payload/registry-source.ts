import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { signatureSpec, type FoundManifest, type ImageSource } from '../../disk/payload/image-source.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { hexOf } from '../../media/payload/registry-storage.js';
import { sha256 } from '../../formats/sha256.js';
import { downloadFile, type DownloadEdge } from '../download/download-file.js';
import type { ConnectionSettings } from '../http/connection.js';
import { connectionFailure } from '../http/faults.js';
import { retryDelayMs } from '../http/retry-after.js';
import { credentialsFor } from '../preflight/pull-credentials.js';
import { ownPlace, type PullPlace } from '../preflight/pull-places.js';
import { answerOfError } from '../queries/query-manifest.js';
import { signatureTag } from '../../release/image-policy.js';
import {
  askRegistry,
  blobRepository,
  manifestTypes,
  maxManifestBytes,
  ResponseError,
  type BlobRepository,
} from '../queries/registry-request.js';

export interface RegistrySourceSettings {
  /** Places of an image, in the order in which they are tried. */
  readonly placesOf: (image: string) => readonly PullPlace[];
  readonly pullSecret: string | undefined;
  readonly edge: Omit<DownloadEdge, 'onProgress'>;
  /** Command line, for the message to a second run. */
  readonly command: string;
}

/** Images in registries and their mirrors. */
export function registrySource(settings: RegistrySourceSettings): ImageSource {
  const { placesOf, pullSecret, edge, command } = settings;
  /** The place that has an image. */
  const served = new Map<string, PullPlace>();
  const repositories = new Map<string, BlobRepository>();
  const credentials = (repository: string): string | undefined =>
    pullSecret === undefined ? undefined : credentialsFor(pullSecret, repository);
  const repositoryOf = (image: string): BlobRepository => {
    const reference = parseImageReference(image);
    const place = served.get(image) ?? (reference && ownPlace(reference));
    if (place === undefined) throw new Error('internal error: the image has no pull spec');
    const known = repositories.get(place.repository);
    if (known !== undefined) return known;
    const access = { way: edge.way, credentials: credentials(place.repository) };
    const opened = blobRepository(place, access);
    repositories.set(place.repository, opened);
    return opened;
  };
  /** The first place that has a manifest serves also the blobs of `image`. */
  const firstOf = async (image: string, places: readonly PullPlace[]): Promise<FoundManifest> => {
    const faults: string[] = [];
    let isMissing = true;
    for (const place of places) {
      const found = await manifestAt(place, { edge, credentials: credentials(place.repository) });
      if (found.kind === 'found') {
        served.set(image, place);
        return found;
      }
      isMissing &&= found.kind === 'missing';
      faults.push(`${place.repository}: ${found.reason}`);
    }
    return { kind: isMissing ? 'missing' : 'failed', reason: faults.join('; ') };
  };
  return {
    manifest: (image, digest) => {
      const first = served.get(image);
      const places = first === undefined ? placesOf(image) : [first];
      return firstOf(
        image,
        digest === undefined ? places : places.map((place) => ({ ...place, reference: digest, digest })),
      );
    },
    signature: (image, digest) => {
      const place = served.get(image);
      if (place === undefined) throw new Error('internal error: a signature before its image');
      const wanted = { ...place, reference: signatureTag(digest), digest: undefined };
      return firstOf(signatureSpec(image, digest), [wanted]);
    },
    blob: async ({ image, digest }, staging, onBytes) => {
      const hex = hexOf(digest);
      const repository = repositoryOf(image);
      let before = 0;
      const done = await downloadFile(
        {
          url: repository.urlOf(digest),
          sha256: hex,
          path: staging.blob(hex),
          command,
          open: async (headers, own) => {
            try {
              return await repository.open(digest, headers, own);
            } catch (error) {
              if (error instanceof ResponseError) return { fault: error.reason };
              throw error;
            }
          },
        },
        {
          ...edge,
          onProgress: (bytes) => {
            onBytes(bytes - before);
            before = bytes;
          },
        },
      );
      return done.ok ? success(undefined) : notCopied(image, done);
    },
  };
}

/** The hint of a download by hand does not help: a blob has no name that people know. */
function notCopied(image: string, { problems }: Extract<Result<unknown>, { ok: false }>): Result<never> {
  const [first] = problems;
  if (first === undefined || !first.code.startsWith('media/')) return failure(...problems);
  const hint = 'run the command again: it continues the copy';
  return failure(problem('payload/pull', `${image}: ${first.message}`, { hint }));
}

/** Attempts for a manifest, as long as the fault may pass. */
const maxAttempts = 5;
const pauses = { firstMs: 1000, longestMs: 30_000 };
const attemptMs = 60_000;

interface Access {
  readonly edge: RegistrySourceSettings['edge'];
  readonly credentials: string | undefined;
}

async function manifestAt(place: PullPlace, { edge, credentials }: Access): Promise<FoundManifest> {
  for (let attempt = 0; ; attempt += 1) {
    const found = await tryManifest(place, { way: edge.way, credentials }, edge.stop);
    if (found.kind !== 'passing') return found;
    if (attempt + 1 >= maxAttempts || edge.stop.aborted) return { kind: 'failed', reason: found.reason };
    try {
      await edge.pause(retryDelayMs(attempt, { requestedMs: undefined, ...pauses }), edge.stop);
    } catch {
      return { kind: 'failed', reason: 'interrupted' };
    }
  }
}

/** `passing`: another attempt may succeed. */
type Attempt = FoundManifest | { readonly kind: 'passing'; readonly reason: string };

async function tryManifest(
  place: PullPlace,
  access: { readonly way: ConnectionSettings; readonly credentials: string | undefined },
  stop: AbortSignal,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(attemptMs);
  const signal = AbortSignal.any([stop, timeout]);
  const object = { path: `manifests/${place.reference}`, accept: manifestTypes, maxBytes: maxManifestBytes };
  try {
    const { status, body } = await askRegistry(place, object, { ...access, signal });
    if (status === 404) return { kind: 'missing', reason: 'the registry does not have it (HTTP 404)' };
    if (status === 401 || status === 403)
      return { kind: 'failed', reason: `the registry requires other credentials (HTTP ${status})` };
    if (status !== 200) return { kind: 'passing', reason: `the registry failed (HTTP ${status})` };
    const digest = `sha256:${sha256(body)}`;
    return place.digest === undefined || place.digest === digest
      ? { kind: 'found', digest, bytes: body }
      : { kind: 'failed', reason: 'the registry sent other bytes than their digest says' };
  } catch (error) {
    const answer = answerOfError(error, timeout.aborted);
    const reason = 'reason' in answer ? answer.reason : answer.kind;
    const isPermanent = error instanceof ResponseError || connectionFailure(error).isPermanent;
    return { kind: isPermanent ? 'failed' : 'passing', reason };
  }
}
