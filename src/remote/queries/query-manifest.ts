import { sha256 } from '../../formats/sha256.js';
import type { PullAnswer } from '../preflight/answers.js';
import type { PullPlace } from '../preflight/pull-places.js';
import { connectionFailure, ProxyError } from '../http/faults.js';
import type { HttpResponse } from '../http/request.js';
import {
  askRegistry,
  manifestTypes,
  maxManifestBytes,
  ResponseError,
  type RegistryAccess,
} from './registry-request.js';

/** Request parameters for a registry manifest lookup. */
export interface ManifestQuery extends RegistryAccess {
  readonly timeoutMs: number;
}

/** Looks up the manifest of an image as the node would. The timeout covers all requests. */
export async function queryManifest(place: PullPlace, query: ManifestQuery): Promise<PullAnswer> {
  const signal = AbortSignal.timeout(query.timeoutMs);
  try {
    return judge(place, await askManifest(place, query, signal), query.credentials !== undefined);
  } catch (error) {
    return answerOfError(error, signal.aborted);
  }
}

function askManifest(place: PullPlace, query: ManifestQuery, signal: AbortSignal): Promise<HttpResponse> {
  const path = `manifests/${place.reference}`;
  return askRegistry(
    place,
    { path, accept: manifestTypes, maxBytes: maxManifestBytes },
    { ...query, signal },
  );
}

function judge(
  { digest }: PullPlace,
  { status, headers, body }: HttpResponse,
  hadCredentials: boolean,
): PullAnswer {
  if (status === 401 || status === 403) {
    const reason = hadCredentials
      ? 'the registry rejected the credentials of pullSecret'
      : 'pullSecret has no credentials for this registry';
    return { kind: 'refused', reason: `${reason} (HTTP ${status})` };
  }
  if (status === 404) return { kind: 'missing' };
  if (status !== 200) return { kind: 'failing', reason: `the registry failed (HTTP ${status})` };
  const type = headers['content-type'] ?? '';
  const isManifest = /^application\/(vnd\.|json)/.test(type);
  if (!isManifest) return { kind: 'failing', reason: 'the server is not a registry' };
  if (digest?.startsWith('sha512:') === true) return { kind: 'found', digest };
  const found = `sha256:${sha256(body)}`;
  return digest === undefined || digest === found
    ? { kind: 'found', digest: found, ...(isListType(type) && { isList: true }) }
    : { kind: 'wrong-digest', digest: found };
}

/** Source: distribution/distribution docs/spec/manifest-v2-2.md; opencontainers/image-spec image-index.md */
function isListType(type: string): boolean {
  return /\.(?:manifest\.list|image\.index)\./.test(type);
}

/** Maps an error of a registry request. The result quotes nothing that was sent or received. */
export function answerOfError(error: unknown, isTooLate: boolean): PullAnswer {
  if (error instanceof ResponseError) return { kind: 'failing', reason: error.reason };
  const { code, words, isOfProxy, isCertificate } = connectionFailure(error);
  if (isCertificate && !isOfProxy) return { kind: 'untrusted', reason: words ?? code };
  const isAnswered = error instanceof ProxyError && error.reason !== undefined;
  const reason =
    isTooLate && !isAnswered ? 'timed out' : (words ?? (code === '' ? 'the connection failed' : code));
  return isOfProxy ? { kind: 'proxy', reason: `proxy failure: ${reason}` } : { kind: 'unreachable', reason };
}
