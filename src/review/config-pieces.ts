import { isRecord } from '../core/is-record.js';
import { without } from '../core/map-record.js';
import { decodeDataUrl } from '../formats/data-url.js';
import { parseJson } from '../formats/json.js';
import { decodeUtf8 } from '../formats/utf8.js';
import { fieldAt, listAt, textAt } from '../kube/fields.js';
import { partsOf, unpackUpTo, type Unpack } from './node-parts.js';
import { shownPath } from './readable.js';

/** A part of a file that can be looked at by itself: a file in a config, the config without its files, or the whole of any other file. */
export interface Piece {
  /** What it is within the file, fit to be shown: a path of the node; empty for the file itself. */
  readonly inside: string;
  /** Of what comes to lie on a node: its mode there. */
  readonly mode?: number;
  readonly bytes: Buffer;
}

/** A config that stands in a file, or in another config as what is merged into it. */
export interface NestedConfig {
  /** Where in the outermost it stands, with a colon behind it, such as `ignition.config.merge[0]:`; empty for that itself. */
  readonly place: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What all files of a config may unpack to. */
export const unpackedBytes = 256 * 1024 ** 2;

/** How often a config may hold another; Ignition itself sets no limit. */
export const deepestMerge = 8;

/** The Ignition config that bytes are, with those that stand in it, parents first; none for other bytes. */
export function configsIn(bytes: Uint8Array, unpack: Unpack): readonly NestedConfig[] {
  return nested(bytes, '', { unpack, depth: 0 });
}

/** A file in the pieces that it has. */
export function piecesOf(bytes: Uint8Array): readonly Piece[] {
  const unpack = unpackUpTo(unpackedBytes);
  const configs = configsIn(bytes, unpack);
  if (configs.length === 0) return [{ inside: '', bytes: Buffer.from(bytes) }];
  return configs.flatMap(({ place, config }) => [
    { inside: place.replace(/:$/, ''), bytes: Buffer.from(JSON.stringify(withoutFiles(config))) },
    ...partsOf(config, unpack).map((part) => ({
      inside: `${place}${shownPath(part.path)}`,
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

/** A config that another one merges into itself, or that takes its place. */
export interface MergedConfig {
  /** Such as `ignition.config.merge[0]`. */
  readonly field: string;
  /** Unpacked; absent where it is fetched from elsewhere, or damaged. */
  readonly bytes?: Buffer;
}

/** What is merged into a config, in its order, and what takes its place behind that. */
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

/** What of a config is none of the pieces beside it. */
function withoutFiles(config: Readonly<Record<string, unknown>>): unknown {
  return {
    ...without(config, ['systemd']),
    ignition: without(recordAt(config, 'ignition'), ['config']),
    storage: without(recordAt(config, 'storage'), ['files']),
  };
}

function recordAt(
  config: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const value = config[name];
  return isRecord(value) ? value : {};
}
