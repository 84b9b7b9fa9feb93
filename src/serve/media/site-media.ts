import { problem, type Problem } from '../../core/problem.js';
import { type Result, failure, success } from '../../core/result.js';
import { decodeDataUrl } from '../../formats/data-url.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { listAt, textAt } from '../../kube/fields.js';
import { type Patch, patchedPiece } from '../../formats/disk-image.js';
import { packInitrd } from '../../media/initrd.js';
import { liveFiles } from '../../media/live-files.js';
import { expectedImage, imageMismatches, type ExpectedImage } from '../../media/image-mismatches.js';
import { versionIn } from '../../release/release-version.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { initramfsNetworkFiles } from '../../media/initramfs-network-files.js';
import { embedConfig } from '../../media/single-node-iso.js';
import { envFilePath } from '../../node/live/live-env-file.js';
import { payloadEnvPath } from '../../node/payload.js';
import { FileChanged, type ServedFile, binaryType, entityTag, servedBytes } from '../answers/served-file.js';
import type { SiteConfig, SiteConfigs } from '../site-configs.js';
import type { SiteFolder } from '../site-folders.js';
import type { BaseIso } from './base-iso.js';
import { isExpected, otherPayload, payloadWords, shortHash, type ExpectedPayload } from './base-payload.js';

/** The boot media of one site. */
export interface SiteMedia {
  /** The live ISO with the site's Ignition config. */
  readonly iso: ServedFile;
  /** The initramfs with the site's Ignition config, for network boot. Packed on demand. Throws FileChanged. */
  overlay(): Promise<ServedFile>;
  /** When the certificates in the config expire; absent if the config does not contain the date. */
  readonly bootableUntil?: Date;
  /** The payload of the site in words, and whether it is on the medium. */
  readonly payload?: string;
  /** File name of the payload that the site installs from. */
  readonly payloadName?: string;
}

/** Creates the media of sites on demand. */
export interface MediaMaker {
  /**
   * Throws SourceUnavailable. Problems: those of `SiteConfigs`, media/too-large, media/architecture, media/release, payload/other.
   */
  of(site: SiteFolder): Promise<Result<SiteMedia>>;
}

/** Also knows the payloads of the sites whose media were requested. */
export interface PayloadMediaMaker extends MediaMaker {
  /** In words. */
  readonly payloadOf: (site: SiteFolder) => string | undefined;
}

/** Returns the cached config of a key, or calls `pack` and caches the result. */
export type PackedCache = (key: string, pack: () => Promise<Buffer>) => Promise<Buffer>;

/** An LRU cache of `count` packed configs. A failed `pack` is not cached. */
export function packedCache(count: number): PackedCache {
  const kept = new Map<string, Promise<Buffer>>();
  return (key, pack) => {
    const packed = kept.get(key) ?? pack();
    // A Map iterates in insertion order, so the first key is the least recently used.
    kept.delete(key);
    kept.set(key, packed);
    const [oldest] = kept.keys();
    if (kept.size > count && oldest !== undefined) kept.delete(oldest);
    packed.catch(() => {
      if (kept.get(key) === packed) kept.delete(key);
    });
    return packed;
  };
}

export interface MediaMakerOptions {
  readonly configs: SiteConfigs;
  readonly cache: PackedCache;
  /** Whether an image of another release or system is accepted. */
  readonly acceptsAnyImage?: boolean;
  /** Called once for each version of a medium that has warnings. */
  readonly onWarnings?: (warnings: readonly Problem[], site: SiteFolder) => void;
}

interface Known {
  readonly mark: string;
  /** The payload of the site, once the medium is known. */
  payload?: string;
  readonly media: Promise<Result<SiteMedia>>;
}

/**
 * Creates media over one base ISO. Packed configs live only in `cache` and are packed again after eviction. Each site that was
 * ever requested keeps a few hundred bytes.
 */
export function mediaMaker(stock: BaseIso, options: MediaMakerOptions): PayloadMediaMaker {
  const { configs } = options;
  const known = new Map<string, Known>();
  const mediaOf = async (site: SiteFolder): Promise<Result<SiteMedia>> => {
    const config = await configs.find(site);
    if (!config.ok) return config;
    const { mark } = config.value;
    const before = known.get(site.dir);
    if (before?.mark === mark) return before.media;
    const media = madeMedia(stock, { name: site.name, ...config.value }, options);
    const next: Known = { mark, media };
    known.set(site.dir, next);
    // A failure may be temporary, for example a missing age identity or file permissions. Do not cache it.
    const forget = (): void => {
      if (known.get(site.dir) === next) known.delete(site.dir);
    };
    media.then((made) => {
      if (!made.ok) {
        forget();
        return;
      }
      if (made.value.payload !== undefined) next.payload = made.value.payload;
      if (made.warnings.length > 0) options.onWarnings?.(made.warnings, site);
    }, forget);
    return media;
  };
  return {
    payloadOf: ({ dir }) => known.get(dir)?.payload,
    of: async (site) => {
      try {
        return await mediaOf(site);
      } catch (error) {
        if (!(error instanceof FileChanged)) throw error;
        return mediaOf(site);
      }
    },
  };
}

async function madeMedia(
  stock: BaseIso,
  { name, mark, read }: SiteConfig & Pick<SiteFolder, 'name'>,
  { cache, acceptsAnyImage = false }: Pick<MediaMakerOptions, 'cache' | 'acceptsAnyImage'>,
): Promise<Result<SiteMedia>> {
  const config = await read();
  if (!config.ok) return config;
  const { expected, bootableUntil, payload: wanted } = liveConfigFacts(config.value);
  const wrong = imageMismatches(stock.facts, expectedImage(expected, acceptsAnyImage));
  if (wrong.length > 0) return failure(...wrong);
  if (wanted && stock.payload && !isExpected(stock.payload, wanted))
    return otherPayload(name, stock.payload, wanted);
  const base = (wanted && stock.payload?.whole) ?? stock.base;
  const digest = await digestOfPacked(stock, config.value, (packed) =>
    cache(`iso\0${mark}`, () => Promise.resolve(packed)),
  );
  if (!digest.ok) return digest;
  const readAgain = async (): Promise<Buffer> => {
    const again = await read();
    if (!again.ok) throw new FileChanged();
    return again.value;
  };
  const again = async (): Promise<Buffer> => {
    const packed = await packedForIso(stock, await readAgain());
    if (!packed.ok) throw new FileChanged();
    return packed.value;
  };
  const media = {
    iso: isoFile({ ...stock, base }, { digest: digest.value, packed: () => cache(`iso\0${mark}`, again) }),
    overlay: async () =>
      servedBytes(await cache(`overlay\0${mark}`, async () => packedForInitrd(await readAgain()))),
    ...(bootableUntil && { bootableUntil }),
    ...(wanted && { payload: payloadStatus(wanted, stock), payloadName: wanted.name }),
  };
  return success(media, payloadWarnings(name, wanted, stock));
}

/** The payload of a site in words, and whether it is on the medium. */
export function payloadStatus(wanted: ExpectedPayload, { payload }: Pick<BaseIso, 'payload'>): string {
  const name = `payload ${shortHash(wanted.sha256)}`;
  if (payload === undefined) return `${name} is not on the medium`;
  return isExpected(payload, wanted)
    ? payloadWords(payload.manifest)
    : `needs ${name}, and the server has ${payloadWords(payload.manifest)}`;
}

/** A site without its payload, or without that of the server. Problems: payload/not-on-medium. */
function payloadWarnings(
  site: string,
  wanted: ExpectedPayload | undefined,
  { payload }: BaseIso,
): readonly Problem[] {
  if ((wanted === undefined) === (payload === undefined)) return [];
  if (wanted === undefined) {
    const message = `the configuration of ${site} names no payload, so its ISO is served without ${payload?.path ?? ''}`;
    const hint = 'if it installs from a payload, set payload.file in its sno-config.yaml and create it again';
    return [problem('payload/not-on-medium', message, { hint })];
  }
  const message = `${site} installs from ${wanted.name} (${shortHash(wanted.sha256)}), and its ISO does not contain it`;
  const hint = `start the server with --payload ${wanted.name}, or attach a disk with a partition named sno-payload that contains it`;
  return [problem('payload/not-on-medium', message, { hint })];
}

/** A separate function, so that no closure with a long life keeps the packed bytes alive. */
async function digestOfPacked(
  stock: BaseIso,
  config: Buffer,
  keep: (packed: Buffer) => Promise<unknown>,
): Promise<Result<string>> {
  const packed = await packedForIso(stock, config);
  if (!packed.ok) return packed;
  await keep(packed.value);
  return success(sha256(packed.value));
}

/** Facts from a live Ignition config of this program; all absent in other configs. */
interface LiveConfigFacts {
  /** When the certificates expire. After this time no installation starts. */
  readonly bootableUntil?: Date;
  readonly expected: ExpectedImage;
  readonly payload?: ExpectedPayload;
}

/** Reads the environment file that the config contains for the scripts on the node. */
function liveConfigFacts(config: Uint8Array): LiveConfigFacts {
  const files = listAt(parseJson(Buffer.from(config).toString('utf8')), ['storage', 'files']);
  const text = textOf(files, envFilePath);
  const payload = payloadOfConfig(textOf(files, payloadEnvPath));
  const [, seconds] = /^SNO_NOT_AFTER='(\d{1,12})'$/m.exec(text) ?? [];
  const [, architecture] = /^SNO_EXPECTED_ARCH='(\w+)'$/m.exec(text) ?? [];
  const [, image] = /^SNO_RELEASE_IMAGE='([^']+)'$/m.exec(text) ?? [];
  const updates = updatesIn(files);
  const release = versionIn(parseImageReference(image ?? '')?.tag ?? '')?.text ?? updates.release;
  return {
    ...(seconds !== undefined && { bootableUntil: new Date(Number(seconds) * 1000) }),
    ...(payload && { payload }),
    expected: {
      ...(architecture !== undefined && { architecture }),
      ...(release !== undefined && { release }),
      ...(updates.isOkd !== undefined && { isOkd: updates.isOkd }),
    },
  };
}

/** Text of a file in a config; empty if there is none. */
function textOf(files: readonly unknown[], path: string): string {
  const file = files.find((each) => textAt(each, ['path']) === path);
  return decodeDataUrl(textAt(file, ['contents', 'source']) ?? '')?.toString('utf8') ?? '';
}

/** The payload that a live config names, if any. */
export function payloadNamedIn(config: Buffer): ExpectedPayload | undefined {
  // Most configs name none, and parsing one takes milliseconds.
  return config.includes(payloadEnvPath) ? liveConfigFacts(config).payload : undefined;
}

/** Only in configs of sites with a payload. */
function payloadOfConfig(text: string): ExpectedPayload | undefined {
  const [, hash] = /^SNO_PAYLOAD_SHA256='([0-9a-f]{64})'$/m.exec(text) ?? [];
  const [, manifestSha256] = /^SNO_PAYLOAD_MANIFEST_SHA256='([0-9a-f]{64})'$/m.exec(text) ?? [];
  const [, name = 'a payload'] = /^SNO_PAYLOAD_NAME='([^']+)'$/m.exec(text) ?? [];
  return hash === undefined || manifestSha256 === undefined
    ? undefined
    : { name, sha256: hash, manifestSha256 };
}

/** The release by the update channel that we write, for an image that is named by its digest. Other channels are choices of the user. */
function updatesIn(files: readonly unknown[]): Pick<ExpectedImage, 'release' | 'isOkd'> {
  const text = textOf(files, clusterVersionPath);
  const [, channel = ''] = /^ {2}channel: (\S+)$/m.exec(text) ?? [];
  const [, release] = /^stable-(4\.\d+)$/.exec(channel) ?? [];
  if (release !== undefined) return { release, isOkd: false };
  return channel.startsWith('stable-scos-') ? { isOkd: true } : {};
}

/** Source: openshift/installer, bootkube templates */
const clusterVersionPath = '/opt/openshift/manifests/cvo-overrides.yaml';

/** Returns the content of the ISO's embed area, without the padding. Problems: media/too-large. */
async function packedForIso({ iso }: BaseIso, config: Buffer): Promise<Result<Buffer>> {
  const embedded = await embedConfig(iso, config);
  if (!embedded.ok) return embedded;
  const { patches, usedBytes } = embedded.value;
  const [area] = patches;
  // Copy it: the embed area is many times larger than its content.
  return success(Buffer.from(area?.bytes.subarray(0, usedBytes) ?? []));
}

/** Returns the packed config as a separate initramfs. */
function packedForInitrd(config: Buffer): Promise<Buffer> {
  return packInitrd(liveFiles(config, initramfsNetworkFiles(config)));
}

/** The base ISO with the site's config and kernel arguments overlaid on read. */
function isoFile(
  { base, iso, id, emptyRoom }: BaseIso,
  { digest, packed }: { readonly digest: string; readonly packed: () => Promise<Buffer> },
): ServedFile {
  const { area, argumentPatches } = iso;
  const patchMarks = argumentPatches.map(({ offset, bytes }) => `${offset} ${sha256(bytes)}`);
  return {
    bytes: base.bytes,
    etag: entityTag(id, base.etag, digest, ...patchMarks),
    type: binaryType,
    read: async (offset, length, into) => {
      const bytes = await base.read(offset, length, into);
      if (bytes === undefined) return undefined;
      const isInArea = offset < area.offset + area.length && offset + length > area.offset;
      if (!isInArea) return patchedPiece(bytes, offset, argumentPatches);
      const config = await packed();
      if (sha256(config) !== digest) return undefined;
      const room: readonly Patch[] = [emptyRoom, config].map((each) => ({
        offset: area.offset,
        bytes: each,
      }));
      return patchedPiece(bytes, offset, [...room, ...argumentPatches]);
    },
  };
}
