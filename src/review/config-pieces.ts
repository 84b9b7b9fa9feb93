import { isRecord } from '../core/is-record.js';
import { omitKeys } from '../core/map-record.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import { decodeUtf8 } from '../formats/utf8.js';
import { fieldAt, listAt, textAt } from '../kube/fields.js';
import { partsOf, unpackUpTo, type Unpack } from './node-parts.js';
import { renderPath } from './render-text.js';

/**
 * A part of a file that is examined separately: a file in an Ignition config, the config without its files, or the whole of any
 * other file.
 */
export interface Piece {
  /** Printable path on the node; empty for the file itself. */
  readonly inside: string;
  /** File mode on the node; absent for other pieces. */
  readonly mode?: number;
  readonly bytes: Buffer;
}

/** An Ignition config, or one that is embedded in another by `ignition.config`. */
export interface NestedConfig {
  /**
   * Path within the outermost config with a trailing colon, such as `ignition.config.merge[0]:`; empty for the outermost config.
   */
  readonly place: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Limit for the total decompressed size of all files in a config. */
export const unpackedBytes = 256 * 1024 ** 2;

/** Limit for nested configs; Ignition has none. */
export const deepestMerge = 8;

/** Parses an Ignition config and the configs embedded in it, parents first. Returns an empty list for other bytes. */
export function configsIn(bytes: Uint8Array, unpack: Unpack): readonly NestedConfig[] {
  return nested(bytes, '', { unpack, depth: 0 });
}

/** Splits a file into its pieces. */
export function piecesOf(bytes: Uint8Array): readonly Piece[] {
  const unpack = unpackUpTo(unpackedBytes);
  const configs = configsIn(bytes, unpack);
  if (configs.length === 0) return [{ inside: '', bytes: Buffer.from(bytes) }];
  return configs.flatMap(({ place, config }) => [
    { inside: place.replace(/:$/, ''), bytes: Buffer.from(JSON.stringify(withoutFiles(config))) },
    ...partsOf(config, unpack).map((part) => ({
      inside: `${place}${renderPath(part.path)}`,
      mode: part.mode,
      bytes: part.isFetched ? Buffer.alloc(0) : part.bytes,
    })),
  ]);
}

function nested(
  bytes: Uint8Array,
  place: string,
  within: { readonly unpack: Unpack; readonly depth: number },
): readonly NestedConfig[] {
  const config = parseJson(decodeUtf8(bytes) ?? '');
  if (!isRecord(config) || textAt(config, ['ignition', 'version']) === undefined) return [];
  const merged = within.depth === deepestMerge ? [] : mergedInto(config, within.unpack);
  return [
    { place, config },
    ...merged.flatMap(({ field, bytes }) =>
      bytes === undefined ? [] : nested(bytes, `${place}${field}:`, { ...within, depth: within.depth + 1 }),
    ),
  ];
}

/** A config that another config merges, or that replaces it. */
export interface MergedConfig {
  /** Such as `ignition.config.merge[0]`. */
  readonly field: string;
  /** Decompressed content; absent if the config is remote or damaged. */
  readonly bytes?: Buffer;
}

/** Returns the `merge` configs in order, then the `replace` config. */
export function mergedInto(config: unknown, unpack: Unpack): readonly MergedConfig[] {
  const merged = listAt(config, ['ignition', 'config', 'merge']);
  const named = [
    ...merged.map((each, index) => [`ignition.config.merge[${index}]`, each] as const),
    ['ignition.config.replace', fieldAt(config, ['ignition', 'config', 'replace'])] as const,
  ];
  return named.map(([field, resource]) => {
    const bytes = contentsOf(resource, unpack);
    return { field, ...(bytes && { bytes }) };
  });
}

function contentsOf(resource: unknown, unpack: Unpack): Buffer | undefined {
  const bytes = decodeDataUrl(textAt(resource, ['source']) ?? '');
  return textAt(resource, ['compression']) === 'gzip' && bytes ? unpack(bytes) : bytes;
}

/** Returns the config without the parts that are separate pieces. */
function withoutFiles(config: Readonly<Record<string, unknown>>): unknown {
  return {
    ...omitKeys(config, ['systemd']),
    ignition: omitKeys(recordAt(config, 'ignition'), ['config']),
    storage: omitKeys(recordAt(config, 'storage'), ['files']),
  };
}

function recordAt(
  config: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const value = config[name];
  return isRecord(value) ? value : {};
}
