import { Readable } from 'node:stream';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { readTarGz } from '../../formats/tar.js';
import { listAt, textAt } from '../../kube/fields.js';
import { credentialsFor } from '../preflight/pull-credentials.js';
import type { PullPlace } from '../preflight/pull-places.js';
import { answerOfError } from './query-manifest.js';
import {
  askRegistry,
  manifestTypes,
  maxManifestBytes,
  ResponseError,
  type RegistryAccess,
  type RegistryObject,
} from './registry-request.js';

export interface BootImagesQuery {
  readonly way: RegistryAccess['way'];
  /** Undefined without a pull secret. The repository of OpenShift's releases on quay.io needs none. */
  readonly pullSecret: string | undefined;
  readonly timeoutMs: number;
  /** Other sources of the metadata, for the message. */
  readonly hint: string;
}

/**
 * Text of the ConfigMap coreos-bootimages in a release image, from the first place that has the image. Problems:
 * media/release-metadata.
 */
export async function readBootImages(
  image: string,
  places: readonly PullPlace[],
  query: BootImagesQuery,
): Promise<Result<string>> {
  const faults: string[] = [];
  for (const place of places) {
    const read = await readFrom(place, query);
    if (read.ok) return success(read.text);
    faults.push(`${place.repository}: ${read.reason}`);
  }
  const message = `cannot read the stream metadata of ${image}: ${faults.join('; ')}`;
  return failure(problem('media/release-metadata', message, { hint: query.hint }));
}

type Read = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

async function readFrom(place: PullPlace, query: BootImagesQuery): Promise<Read> {
  const { way, pullSecret, timeoutMs } = query;
  const signal = AbortSignal.timeout(timeoutMs);
  const credentials = pullSecret === undefined ? undefined : credentialsFor(pullSecret, place.repository);
  const ask: Ask = async (object, digest) => {
    const { status, body } = await askRegistry(place, object, { way, credentials, signal });
    if (status !== 200) throw new ResponseError(reasonOf(status));
    if (digest !== undefined && digest !== `sha256:${sha256(body)}`)
      throw new ResponseError('the registry sent other bytes than their digest says');
    return body;
  };
  try {
    return await readLayers(await manifestOf(place, ask), ask);
  } catch (error) {
    const answer = answerOfError(error, signal.aborted);
    return { ok: false, reason: 'reason' in answer ? answer.reason : answer.kind };
  }
}

type Ask = (object: RegistryObject, digest?: string) => Promise<Buffer>;

function reasonOf(status: number): string {
  if (status === 404) return 'the registry does not have it (HTTP 404)';
  if (status === 401 || status === 403) return `the registry requires other credentials (HTTP ${status})`;
  return `the registry failed (HTTP ${status})`;
}

/** Of several architectures the first: their stream metadata is the same. */
async function manifestOf({ reference, digest }: PullPlace, ask: Ask): Promise<unknown> {
  const get = (of: string, expected?: string): Promise<Buffer> =>
    ask({ path: `manifests/${of}`, accept: manifestTypes, maxBytes: maxManifestBytes }, expected);
  const manifest = parseJson((await get(reference, digest)).toString('utf8'));
  const first = textAt(listAt(manifest, ['manifests'])[0], ['digest']);
  if (first === undefined) return manifest;
  return parseJson((await get(first, first)).toString('utf8'));
}

/**
 * Path of the ConfigMap; `oc adm release new` prefixes the name with a number and the image, and puts all manifests into the last layer.
 * Source: openshift/oc pkg/cli/admin/release/new.go
 */
const manifestPath = /^(?:\.?\/)?release-manifests\/[^/]*coreos-bootimages\.yaml$/;

/** Far more than the manifests of a release, and less than its program layers. */
const maxLayerBytes = 64 * 1024 * 1024;
const limits = {
  totalBytes: 512 * 1024 * 1024,
  entries: 20_000,
  keptBytes: 16 * 1024 * 1024,
  keptBytesOf: (path: string): number => (manifestPath.test(path) ? 16 * 1024 * 1024 : 0),
};

/** Layers after the one of the manifests, for images that were changed later. */
const maxLayers = 3;

async function readLayers(manifest: unknown, ask: Ask): Promise<Read> {
  const layers = listAt(manifest, ['layers']).flatMap((layer) => textAt(layer, ['digest']) ?? []);
  if (layers.length === 0 || layers.some((digest) => !/^sha256:[0-9a-f]{64}$/.test(digest)))
    return { ok: false, reason: 'the server sent no manifest of an image' };
  for (const digest of layers.toReversed().slice(0, maxLayers)) {
    const layer = await ask({ path: `blobs/${digest}`, maxBytes: maxLayerBytes }, digest);
    const { files, end } = await readTarGz(Readable.from([layer]), limits);
    const text = files.find(({ path }) => manifestPath.test(path))?.text;
    if (text !== undefined) return { ok: true, text };
    if (end !== 'whole') return { ok: false, reason: 'a layer of the image cannot be unpacked' };
  }
  return { ok: false, reason: 'it is not the image of a release: it has no coreos-bootimages.yaml' };
}
