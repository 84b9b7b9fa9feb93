import { decodeDataUrl } from '../formats/data-url.js';
import { gunzip } from '../formats/gzip.js';
import { fieldAt, listAt, textAt } from '../kube/fields.js';
import { renderUrl, renderPath } from './render-text.js';

/** A file, unit or drop-in that an Ignition config writes to the node. */
export interface Part {
  /** The path as in the config. */
  readonly path: string;
  readonly mode: number;
  /** `user`, or `user:group` if the config sets a group. */
  readonly owner: string;
  readonly bytes: Buffer;
  /** Whether the content is remote. `bytes` then contains the source URL. */
  readonly isFetched: boolean;
  /** Notes for the index, such as `append` or `enabled`. */
  readonly notes: readonly string[];
}

/** The contents of a part that a sheet reads. */
export type PartContent = Pick<Part, 'path' | 'bytes' | 'isFetched'>;

/** Decompresses gzip. Returns undefined if the data is damaged or exceeds the limit over all calls. */
export type Unpack = (archive: Uint8Array) => Buffer | undefined;

/** Returns an `Unpack` with a limit for the total decompressed size. */
export function unpackUpTo(totalBytes: number): Unpack {
  let left = totalBytes;
  return (archive) => {
    const bytes = gunzip(archive, left);
    left -= bytes?.length ?? 0;
    return bytes;
  };
}

/**
 * Returns the files and units of any Ignition config. Skips entries with an invalid structure. Source: coreos.github.io/ignition,
 * configuration-v3_0 to v3_5
 */
export function partsOf(config: unknown, unpack: Unpack): readonly Part[] {
  return [
    ...listAt(config, ['storage', 'files']).flatMap((file) => filePart(file, unpack)),
    ...listAt(config, ['systemd', 'units']).flatMap(unitParts),
  ];
}

/** Formats the directories and links of a config as index lines. */
export function placesOf(config: unknown): readonly string[] {
  return [
    ...listAt(config, ['storage', 'directories']).flatMap((folder) => {
      const path = textAt(folder, ['path']);
      return path === undefined
        ? []
        : [`${octal(modeOf(folder, 0o755))} ${ownerOf(folder)} - ${renderPath(path)}/`];
    }),
    ...listAt(config, ['storage', 'links']).flatMap((link) => {
      const path = textAt(link, ['path']);
      const kind = fieldAt(link, ['hard']) === true ? 'hard link' : 'link';
      return path === undefined
        ? []
        : [`${kind} ${ownerOf(link)} - ${renderPath(path)} -> ${renderPath(textAt(link, ['target']) ?? '')}`];
    }),
  ];
}

/** Formats a mode as four octal digits, as for `chmod`. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function filePart(file: unknown, unpack: Unpack): readonly Part[] {
  const path = textAt(file, ['path']);
  if (path === undefined) return [];
  const appended = listAt(file, ['append']);
  const resources = [fieldAt(file, ['contents']), ...appended].filter(
    (resource) => textAt(resource, ['source']) !== undefined,
  );
  const overwrite = fieldAt(file, ['overwrite']) === true;
  return [
    {
      path,
      mode: modeOf(file, 0o644),
      owner: ownerOf(file),
      bytes: Buffer.concat(resources.map((resource) => contentsOf(resource, unpack))),
      isFetched: resources.some(isRemote),
      notes: [
        ...(appended.length > 0 ? ['append'] : []),
        ...(overwrite || appended.length > 0 ? [] : ['once']),
        ...resources.flatMap(notesOf),
      ],
    },
  ];
}

function notesOf(resource: unknown): readonly string[] {
  return [
    ...(isRemote(resource) ? ['fetched'] : []),
    ...[textAt(resource, ['compression']), textAt(resource, ['verification', 'hash'])].filter(
      (note) => note !== undefined,
    ),
  ];
}

function isRemote(resource: unknown): boolean {
  return textAt(resource, ['source'])?.startsWith('data:') === false;
}

/** Returns the content as written to the node, or the source URL of a remote file. */
function contentsOf(resource: unknown, unpack: Unpack): Buffer {
  const source = textAt(resource, ['source']) ?? '';
  const bytes = decodeDataUrl(source);
  if (bytes === undefined)
    return Buffer.from(source.startsWith('data:') ? '<contents that cannot be decoded>' : renderUrl(source));
  if (textAt(resource, ['compression']) !== 'gzip') return bytes;
  return unpack(bytes) ?? Buffer.from('<contents that cannot be unpacked>');
}

function unitParts(unit: unknown): readonly Part[] {
  const name = textAt(unit, ['name']);
  if (name === undefined) return [];
  const path = `/etc/systemd/system/${name}`;
  const enabled = fieldAt(unit, ['enabled']);
  const notes = [
    'unit',
    ...(enabled === true ? ['enabled'] : []),
    ...(enabled === false ? ['disabled'] : []),
    ...(fieldAt(unit, ['mask']) === true ? ['masked'] : []),
  ];
  const shared = { mode: 0o644, owner: 'root', isFetched: false };
  return [
    { ...shared, path, bytes: Buffer.from(textAt(unit, ['contents']) ?? ''), notes },
    ...listAt(unit, ['dropins']).flatMap((dropin) => {
      const dropinName = textAt(dropin, ['name']);
      if (dropinName === undefined) return [];
      const bytes = Buffer.from(textAt(dropin, ['contents']) ?? '');
      return [{ ...shared, path: `${path}.d/${dropinName}`, bytes, notes: ['drop-in'] }];
    }),
  ];
}

function modeOf(entry: unknown, otherwise: number): number {
  const mode = fieldAt(entry, ['mode']);
  return typeof mode === 'number' && Number.isInteger(mode) && mode >= 0 && mode <= 0o7777 ? mode : otherwise;
}

function ownerOf(entry: unknown): string {
  const [user, group] = ['user', 'group'].map((kind) => {
    const id = fieldAt(entry, [kind, 'id']);
    return textAt(entry, [kind, 'name']) ?? (typeof id === 'number' ? String(id) : undefined);
  });
  return [user ?? 'root', ...(group === undefined ? [] : [group])].join(':');
}
