import { join } from 'node:path';

import { singleNodeNetworkFacts, type NetworkFacts } from '../../assets/preflight/network-facts.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { sha256 } from '../../formats/sha256.js';
import { fileSize } from '../../disk/file-size.js';
import { readNamedBytes } from '../../disk/state/named-bytes.js';
import { createRecordFolder, readRecord } from '../../disk/record-file.js';
import { replaceFile } from '../../disk/replace-file.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { firstPlainMinor, hasPlainImages } from '../../media/image-mismatches.js';
import {
  readStreamMetadata,
  type StreamArchitecture,
  type StreamMetadata,
} from '../../media/stream-metadata.js';
import type { ConnectionSettings } from '../../remote/http/connection.js';
import { trustWith } from '../../remote/http/connection.js';
import { environmentProxy } from '../../remote/http/proxy.js';
import { ownPlace, placesOf } from '../../remote/preflight/pull-places.js';
import { nameServers } from '../../remote/queries/name-servers.js';
import { readBootImages } from '../../remote/queries/read-boot-images.js';
import { defaultReleaseVersion, releases } from '../../release/releases.js';
import { versionIn } from '../../release/release-version.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { look } from '../../run/run.js';
import type { GlobalOptions } from '../options.js';
import { runRequest } from '../request.js';
import type { DownloadOptions } from './download-options.js';

/** Values of the configuration in `--dir`; undefined without a usable one. */
export type DownloadConfig = NetworkFacts | undefined;

/** Reads the configuration in `--dir`, if there is one. Problems: media/config-unused. */
export async function readDownloadConfig(options: GlobalOptions): Promise<Result<DownloadConfig>> {
  if (fileSize(join(options.dir, 'install-config.yaml')) === undefined) return success(undefined);
  const request = runRequest('single-node-ignition-config', options, { isStateOptional: true });
  const facts = await look(request, singleNodeNetworkFacts);
  if (facts.ok) return success(facts.value);
  const message = `${join(options.dir, 'install-config.yaml')} has errors: its pull secret, proxy and authorities are not used`;
  const hint = 'run `sno-install validate` to see the errors';
  return success(undefined, [problem('media/config-unused', message, { hint })]);
}

/** Connections as the configuration and the environment say; the environment wins. Problems: usage/proxy. */
export function connectionOf(
  config: DownloadConfig,
  { variables }: Surroundings,
): Result<ConnectionSettings> {
  const own = environmentProxy(variables);
  if (!own.ok) return own;
  const proxy = own.value.httpsProxy === '' ? (config?.proxy ?? {}) : own.value;
  const { lookup } = nameServers([], connectMs);
  return success({ proxy, lookup, trust: trustWith(config?.install.additionalTrustBundle ?? '') });
}

const connectMs = 30_000;
/** For the release image: its manifests and one layer of a few MiB. */
const registryMs = 120_000;

/** The release whose live image is wanted. */
export interface WantedRelease {
  readonly image: string;
  /** `<major>.<minor>`; undefined if unknown. */
  readonly version: string | undefined;
}

/** The release of `--release`, else of the configuration, else the default. Problems: usage/unknown-argument. */
export function wantedRelease(
  { release }: DownloadOptions,
  config: DownloadConfig,
  architecture: StreamArchitecture,
): Result<WantedRelease> {
  const fromConfig = release === undefined ? config?.pulls.release : undefined;
  if (fromConfig !== undefined) {
    const version = versionIn(parseImageReference(fromConfig)?.tag ?? config?.sno.releaseVersion ?? '');
    return success({ image: fromConfig, version: version?.text });
  }
  const given = release ?? defaultReleaseVersion;
  const version = versionIn(given);
  const isKnown = version !== undefined && releases.knownAs(version) !== undefined;
  if (!isKnown) {
    const message = `--release is ${quoted(given)}, expected a release from ${releases.offeredText}`;
    return failure(
      problem('usage/unknown-argument', message, { hint: `try ${releases.newest.version.text}` }),
    );
  }
  // The first patch of a release: its live image installs every later patch.
  const full = /^\d+\.\d+$/.test(given) ? `${given}.0` : given;
  const image = /[-.]okd-/.test(full)
    ? `quay.io/okd/scos-release:${full}`
    : `quay.io/openshift-release-dev/ocp-release:${full}-${architecture}`;
  return success({ image, version: version.text });
}

interface MetadataRequest {
  readonly config: DownloadConfig;
  readonly wanted: WantedRelease;
  readonly architecture: StreamArchitecture;
  readonly way: ConnectionSettings;
  readonly cache: string;
  readonly surroundings: Surroundings;
}

/**
 * The stream metadata, from the file of `--stream` or from the release image. If the registry cannot be reached, those that an earlier
 * run has read. Problems: usage/unreadable-file, media/stream, media/release-metadata.
 */
export async function streamMetadata(
  { stream }: DownloadOptions,
  { config, wanted, architecture, way, cache, surroundings }: MetadataRequest,
): Promise<Result<StreamMetadata>> {
  if (stream !== undefined) {
    const read = readNamedBytes('--stream', stream, surroundings.stdin);
    const source = stream === '-' ? 'stdin (--stream)' : stream;
    return read.ok ? readStreamMetadata(Buffer.from(read.value).toString('utf8'), source) : read;
  }
  const reference = parseImageReference(wanted.image);
  if (reference === undefined) throw new Error('internal error: the release image has no pull spec');
  const places = config === undefined ? [ownPlace(reference)] : placesOf(wanted.image, config.install);
  const read = await readBootImages(wanted.image, places, {
    way,
    pullSecret: config?.install.pullSecret.reveal(),
    timeoutMs: registryMs,
    hint: otherSources(wanted, architecture),
  });
  const kept = join(cache, `stream-${sha256(wanted.image).slice(0, 16)}.yaml`);
  if (!read.ok) {
    const earlier = readRecord(kept);
    return earlier.ok && earlier.value !== '' ? readStreamMetadata(earlier.value, wanted.image) : read;
  }
  const metadata = readStreamMetadata(read.value, wanted.image);
  // A cache that cannot be written is no fault of the download.
  if (metadata.ok && createRecordFolder(cache).ok) replaceFile(kept, read.value);
  return metadata;
}

/** Source of the folder: OpenShift documentation, "Installing RHCOS"; it contains sha256sum.txt. */
function otherSources({ image, version }: WantedRelease, architecture: StreamArchitecture): string {
  const file =
    'on another machine, run `openshift-install coreos print-stream-json > stream.json` of this release, and add --stream stream.json';
  if (version === undefined || !image.startsWith('quay.io/openshift-release-dev/')) return file;
  const folder = `https://mirror.openshift.com/pub/openshift-v4/${architecture}/dependencies/rhcos/${version}/latest/`;
  return `${file}; or download the live ISO and sha256sum.txt from ${folder} and run sha256sum --check --ignore-missing sha256sum.txt`;
}

/** The live image belongs to another release than the wanted one. Problems: media/release. */
export function releaseFault(build: string, source: string, version: string | undefined): readonly Problem[] {
  const [, minor] = /^4(\d\d)\.\d/.exec(build) ?? [];
  const isPlain = /^\d{1,2}\.\d/.test(build);
  if (version === undefined || (minor === undefined && !isPlain)) return [];
  const its = minor === undefined ? undefined : `4.${minor}`;
  const wantsPlain = hasPlainImages(version);
  if (its === undefined ? wantsPlain : its === version) return [];
  const of = its ?? `4.${firstPlainMinor} or later`;
  const message = `${source} names the live image ${build}, of OpenShift ${of}, but the release is ${version}`;
  const hint = `use the metadata of ${version}, or correct the release of the configuration`;
  return [problem('media/release', message, { hint })];
}
