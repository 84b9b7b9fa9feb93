import { problem } from '../../core/problem.js';
import { type Result, failure, success } from '../../core/result.js';
import { markOf } from '../../disk/file-size.js';
import { readNamedFile } from '../../disk/named-file.js';
import { openFile } from '../../disk/state/open-state.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { decodeDataUrl } from '../../formats/data-url.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { listAt, textAt } from '../../kube/fields.js';
import { type Patch, patchedPiece } from '../../formats/disk-image.js';
import { packInitrd } from '../../media/initrd.js';
import { liveFiles } from '../../media/live-files.js';
import { mismatches } from '../../media/mismatches.js';
import { networkBeside } from '../../media/network-beside.js';
import { embedConfig } from '../../media/single-node-iso.js';
import { envFilePath } from '../../node/live/live-env-file.js';
import { configFile } from '../../run/sources/ignition-file.js';
import { FileChanged, type ServedFile, binaryType, entityTag, servedBytes } from '../answers/served-file.js';
import { type ConfigPlace, type SiteFolder, configIn, liveConfigName } from '../site-folders.js';
import type { StockImage } from './stock-image.js';

/** What is given to the machine of a site. */
export interface SiteMedia {
  /** The live image that boots with the site's config. */
  readonly iso: ServedFile;
  /** The initramfs with that config, for a boot over the network; packed when it is asked for. Throws FileChanged. */
  overlay(): Promise<ServedFile>;
  /** When the certificates in it end; absent of configs that do not say. */
  readonly bootableUntil?: Date;
}

/** Makes media of sites when they are asked for. */
export interface MediaMaker {
  /**
   * Problems: usage/unreadable-file, review/not-a-config, media/serve-sites, media/too-large, media/architecture, those of what is
   * encrypted.
   */
  of(site: SiteFolder): Promise<Result<SiteMedia>>;
}

/** The packed config of a key, or what `pack` makes of it. */
export type PackedCache = (key: string, pack: () => Promise<Buffer>) => Promise<Buffer>;

/** Keeps the configs that were asked for last, up to `count`. A config that cannot be packed is not kept. */
export function packedCache(count: number): PackedCache {
  const kept = new Map<string, Promise<Buffer>>();
  return (key, pack) => {
    const packed = kept.get(key) ?? pack();
    // A Map is in the order of insertion: the first key is the one that was asked for longest ago.
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

/** What a site's folder held when it was looked at. */
interface Known {
  readonly mark: string;
  readonly media: Promise<Result<SiteMedia>>;
}

/**
 * Media over one image. What is packed for a site is kept as long as `cache` does, and packed again when it is asked for later; of each
 * site that was ever asked for, a few hundred bytes stay.
 */
export function mediaMaker(
  stock: StockImage,
  { access, cache }: { readonly access: StateAccess; readonly cache: PackedCache },
): MediaMaker {
  const known = new Map<string, Known>();
  return {
    of: (site) => {
      const config = configIn(site.dir);
      if (config === undefined) return Promise.resolve(noConfig(site));
      const { mark } = config;
      const before = known.get(site.dir);
      if (before?.mark === mark) return before.media;
      const media = madeMedia(stock, configAt(config, access), cache);
      const next = { mark, media };
      known.set(site.dir, next);
      // What failed may do the next time: an identity that was missing, a file that nobody might read.
      const forget = (): void => {
        if (known.get(site.dir) === next) known.delete(site.dir);
      };
      media.then((made) => {
        if (!made.ok) forget();
      }, forget);
      return media;
    },
  };
}

function noConfig({ dir }: SiteFolder): Result<never> {
  const message = `${dir} holds no ${liveConfigName}, neither plain nor encrypted`;
  return failure(problem('media/serve-sites', message, { hint: '`sno-install create` writes it' }));
}

/** A config as it lay there at one moment. */
interface ConfigAt {
  /** Of this one alone. */
  readonly key: string;
  readonly read: () => Promise<Result<Buffer>>;
  /** Throws FileChanged where it is another one by now. */
  readonly readAgain: () => Promise<Buffer>;
}

function configAt({ path, mark }: ConfigPlace, access: StateAccess): ConfigAt {
  const read = async (): Promise<Result<Buffer>> => {
    const named = readNamedFile('the config', path);
    if (!named.ok) return named;
    const opened = await openFile(named.value, path, access);
    if (!opened.ok) return opened;
    const config = configFile(liveConfigName, opened.value, path);
    return config.ok ? success(Buffer.from(config.value.contents)) : config;
  };
  const readAgain = async (): Promise<Buffer> => {
    const config = await read();
    if (!config.ok || markOf(path) !== mark) throw new FileChanged();
    return config.value;
  };
  return { key: `${path}\0${mark}`, read, readAgain };
}

async function madeMedia(
  stock: StockImage,
  { key, read, readAgain }: ConfigAt,
  cache: PackedCache,
): Promise<Result<SiteMedia>> {
  const config = await read();
  if (!config.ok) return config;
  const { architecture, bootableUntil } = liveConfigFacts(config.value);
  const wrong = mismatches(stock.facts, { ...(architecture !== undefined && { architecture }) });
  if (wrong.length > 0) return failure(...wrong);
  const digest = await digestOfPacked(stock, config.value, (packed) =>
    cache(`iso\0${key}`, () => Promise.resolve(packed)),
  );
  if (!digest.ok) return digest;
  const again = async (): Promise<Buffer> => {
    const packed = await packedForIso(stock, await readAgain());
    if (!packed.ok) throw new FileChanged();
    return packed.value;
  };
  return success({
    iso: isoFile(stock, { digest: digest.value, packed: () => cache(`iso\0${key}`, again) }),
    overlay: async () =>
      servedBytes(await cache(`overlay\0${key}`, async () => packedForInitrd(await readAgain()))),
    ...(bootableUntil && { bootableUntil }),
  });
}

/** Packs on its own, so that nothing that lasts holds what was packed, but for who keeps it. */
async function digestOfPacked(
  stock: StockImage,
  config: Buffer,
  keep: (packed: Buffer) => Promise<unknown>,
): Promise<Result<string>> {
  const packed = await packedForIso(stock, config);
  if (!packed.ok) return packed;
  await keep(packed.value);
  return success(sha256(packed.value));
}

/** What a config of the live system says of itself, as far as it is one of ours. */
interface LiveConfigFacts {
  /** When its certificates end: no machine installs itself with it after that. */
  readonly bootableUntil?: Date;
  /** As the install-config names it. */
  readonly architecture?: string;
}

/** Reads what a config of the live system says for the scripts on the node. */
function liveConfigFacts(config: Uint8Array): LiveConfigFacts {
  const files = listAt(parseJson(Buffer.from(config).toString('utf8')), ['storage', 'files']);
  const file = files.find((each) => textAt(each, ['path']) === envFilePath);
  const text = decodeDataUrl(textAt(file, ['contents', 'source']) ?? '')?.toString('utf8') ?? '';
  const [, seconds] = /^SNO_NOT_AFTER='(\d{1,12})'$/m.exec(text) ?? [];
  const [, architecture] = /^SNO_EXPECTED_ARCH='(\w+)'$/m.exec(text) ?? [];
  return {
    ...(seconds !== undefined && { bootableUntil: new Date(Number(seconds) * 1000) }),
    ...(architecture !== undefined && { architecture }),
  };
}

/** What goes into the room of an image, without what fills the rest of it. Problems: media/too-large. */
async function packedForIso({ iso }: StockImage, config: Buffer): Promise<Result<Buffer>> {
  const embedded = await embedConfig(iso, config);
  if (!embedded.ok) return embedded;
  const { patches, usedBytes } = embedded.value;
  const [area] = patches;
  // A copy: the room is many times what is in it.
  return success(Buffer.from(area?.bytes.subarray(0, usedBytes) ?? []));
}

/** The same as an initramfs of its own. */
function packedForInitrd(config: Buffer): Promise<Buffer> {
  return packInitrd(liveFiles(config, networkBeside(config)));
}

/** The image with a site's config, and what the kernel is told, laid over what is read of it. */
function isoFile(
  { base, iso, id, emptyRoom }: StockImage,
  { digest, packed }: { readonly digest: string; readonly packed: () => Promise<Buffer> },
): ServedFile {
  const { area, argumentPatches } = iso;
  const told = argumentPatches.map(({ offset, bytes }) => `${offset} ${sha256(bytes)}`);
  return {
    bytes: base.bytes,
    etag: entityTag(id, base.etag, digest, ...told),
    type: binaryType,
    read: async (offset, length, into) => {
      const bytes = await base.read(offset, length, into);
      if (bytes === undefined) return undefined;
      const isMet = offset < area.offset + area.length && offset + length > area.offset;
      if (!isMet) return patchedPiece(bytes, offset, argumentPatches);
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
