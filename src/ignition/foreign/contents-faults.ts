import { isRecord } from '../../core/is-record.js';
import { quoted } from '../../core/quoted.js';
import { isDataUrl } from '../../formats/data-url.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { foldersAbove, isPlainPath } from '../check-paths.js';
import { parseUnit } from '../unit-text.js';
import { type Fault, rejectedConfig } from './ignition-fault.js';
import { octalHint } from './node-faults.js';
import { type FoundEntry, entriesAt, valueAt } from './config-entries.js';

/**
 * Faults of a config beyond single fields: duplicate paths and names, paths below files, contents that cannot be decoded, units
 * that systemd cannot parse. Skips fields with invalid values. Source: Validate of coreos/ignition config/v3_*.
 */
export function contentsFaults(config: unknown, minor: number): readonly Fault[] {
  return [
    ...nodeFaults(config, minor),
    ...resourceFaults(config, minor),
    ...unitTextFaults(config),
    ...keyedLists.flatMap(([path, key]) => repeatedKeys(entriesAt(config, path), key)),
  ];
}

/** Lists whose entries are unique by a field. */
const keyedLists: readonly (readonly [path: readonly string[], key: string])[] = [
  [['storage', 'disks'], 'device'],
  [['storage', 'raid'], 'name'],
  [['storage', 'luks'], 'name'],
  [['storage', 'filesystems'], 'device'],
  [['systemd', 'units'], 'name'],
  [['passwd', 'users'], 'name'],
  [['passwd', 'groups'], 'name'],
  [['ignition', 'config', 'merge'], 'source'],
  [['ignition', 'security', 'tls', 'certificateAuthorities'], 'source'],
];

function repeatedKeys(entries: readonly FoundEntry[], key: string): readonly Fault[] {
  const seen = new Set<unknown>();
  return entries.flatMap(({ path, entry }) => {
    const value = entry[key];
    if (typeof value !== 'string' || !seen.has(value)) {
      seen.add(value);
      return [];
    }
    // A source may be file contents, which messages never show.
    const what = key === 'source' ? 'the same source' : quoted(value);
    return [rejectedConfig([...path, key], `${what} is in the config twice`, 'leave out one of the two')];
  });
}

function nodeFaults(config: unknown, minor: number): readonly Fault[] {
  const [files, directories, links] = ['files', 'directories', 'links'].map((kind) =>
    entriesAt(config, ['storage', kind]),
  );
  if (!files || !directories || !links) return [];
  const nodes = [...files, ...directories, ...links];
  return [
    ...nodes.flatMap(pathFaults),
    ...repeatedKeys(nodes, 'path'),
    ...nodes.flatMap(ownerFaults),
    ...folderFaults(nodes, pathsOf([...files, ...links])),
    ...files.flatMap(overwriteFaults),
    ...(minor < 4 ? [...files, ...directories].flatMap(modeFaults) : []),
  ];
}

function pathFaults({ path, entry }: FoundEntry): readonly Fault[] {
  const place = entry['path'];
  if (typeof place !== 'string' || place === '/' || isPlainPath(place)) return [];
  return [rejectedConfig([...path, 'path'], `${quoted(place)} is not a plain absolute path`)];
}

/** Reports paths below a file or a link. */
function folderFaults(nodes: readonly FoundEntry[], noFolders: ReadonlySet<string>): readonly Fault[] {
  return nodes.flatMap(({ path, entry }) => {
    const place = entry['path'];
    const above =
      typeof place === 'string' ? foldersAbove(place).find((folder) => noFolders.has(folder)) : undefined;
    if (above === undefined) return [];
    const message = `${quoted(String(place))} lies below ${quoted(above)}, which is not a folder`;
    return [rejectedConfig([...path, 'path'], message)];
  });
}

function ownerFaults({ path, entry }: FoundEntry): readonly Fault[] {
  return ['user', 'group'].flatMap((kind) => {
    const [id, name] = ['id', 'name'].map((each) => valueAt(entry, [kind, each]));
    if (id === undefined || name === undefined || name === '') return [];
    return [
      rejectedConfig([...path, kind], `the ${kind} is given by id and by name, expected one of the two`),
    ];
  });
}

function overwriteFaults({ path, entry }: FoundEntry): readonly Fault[] {
  if (entry['overwrite'] !== true || valueAt(entry, ['contents', 'source']) !== undefined) return [];
  return [
    rejectedConfig(
      [...path, 'overwrite'],
      'a file without contents.source overwrites nothing',
      'leave overwrite out',
    ),
  ];
}

/** Source: coreos.github.io/ignition/migrating-configs, spec 3.4.0. */
function modeFaults({ path, entry }: FoundEntry): readonly Fault[] {
  const mode = entry['mode'];
  if (typeof mode !== 'number' || mode <= 0o777 || mode > 0o7777) return [];
  const message = 'the setuid, setgid and sticky bits of a mode are left out before Ignition spec 3.4.0';
  const hint = isOctalDigits(mode) ? octalHint(mode) : undefined;
  return [
    { kind: 'idle', path: [...path, 'mode'], target: 'value', message, ...(hint !== undefined && { hint }) },
  ];
}

/** True if a mode such as 644 consists of three octal digits, so that the author probably intended an octal number. */
export function isOctalDigits(mode: number): boolean {
  return /^[1-7][0-7]{2}$/.test(String(mode));
}

function pathsOf(entries: readonly FoundEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ entry }) => (typeof entry['path'] === 'string' ? [entry['path']] : [])));
}

/** Sources that cannot be fetched or decoded, and hashes without a source. */
function resourceFaults(config: unknown, minor: number): readonly Fault[] {
  return resourcesIn(config).flatMap((path) => {
    const resource = valueAt(config, path);
    if (!isRecord(resource)) return [];
    const { source } = resource;
    const hash = valueAt(resource, ['verification', 'hash']);
    return [
      ...(typeof source === 'string' ? sourceFaults(source, [...path, 'source'], minor) : []),
      ...(typeof hash === 'string'
        ? hashFaults(hash, source, { path: [...path, 'verification', 'hash'], minor })
        : []),
    ];
  });
}

/** Paths of all resources: file contents, keys, configs and CAs. */
function resourcesIn(config: unknown): readonly FieldPath[] {
  const files = entriesAt(config, ['storage', 'files']);
  const lists: readonly FieldPath[] = [
    ...files.map(({ path }) => [...path, 'append']),
    ['ignition', 'config', 'merge'],
    ['ignition', 'security', 'tls', 'certificateAuthorities'],
  ];
  return [
    ...files.map(({ path }) => [...path, 'contents']),
    ...entriesAt(config, ['storage', 'luks']).map(({ path }) => [...path, 'keyFile']),
    ['ignition', 'config', 'replace'],
    ...lists.flatMap((list) => entriesAt(config, list).map(({ path }) => path)),
  ];
}

/** URL schemes by the spec version that introduced them. Source: coreos.github.io/ignition/migrating-configs */
const schemes: readonly { readonly names: readonly string[]; readonly since: number }[] = [
  { names: ['data', 'http', 'https', 's3', 'tftp'], since: 0 },
  { names: ['gs'], since: 2 },
  { names: ['arn'], since: 4 },
];

function sourceFaults(source: string, path: FieldPath, minor: number): readonly Fault[] {
  if (source === '') return [];
  const scheme = /^([a-z0-9]+):/i.exec(source)?.[1]?.toLowerCase();
  const known = schemes.filter(({ since }) => since <= minor).flatMap(({ names }) => names);
  if (scheme === undefined || !known.includes(scheme)) {
    return [rejectedConfig(path, `a source must be a URL that starts with ${known.join(':, ')}:`, textHint)];
  }
  if (scheme !== 'data' || isDataUrl(source)) return [];
  return [rejectedConfig(path, 'a data: URL cannot be decoded', textHint)];
}

const textHint = 'write a text as data:, with every odd character as %XX, or in base64 as data:;base64,';

function hashFaults(
  hash: string,
  source: unknown,
  { path, minor }: { readonly path: FieldPath; readonly minor: number },
): readonly Fault[] {
  if (source === undefined) return [rejectedConfig(path, 'a hash is given without a source')];
  const isLater = minor < 1 && hash.startsWith('sha256-');
  return isLater
    ? [rejectedConfig(path, 'hashes of SHA-256 came with Ignition spec 3.1.0', 'give the SHA-512')]
    : [];
}

/** Units that cannot be parsed, enabled units without an [Install] section, and duplicate drop-ins. */
function unitTextFaults(config: unknown): readonly Fault[] {
  return entriesAt(config, ['systemd', 'units']).flatMap((unit) => [
    ...textFaults(unit.entry['contents'], [...unit.path, 'contents']),
    ...enablingFaults(unit),
    ...dropinFaults(entriesAt(unit.entry, ['dropins']), unit.path),
  ]);
}

/** Ignition rejects text that its own parser cannot read; systemd ignores other lines that it does not understand. */
function textFaults(text: unknown, path: FieldPath): readonly Fault[] {
  if (typeof text !== 'string') return [];
  const { sections, faultyLine } = parseUnit(text);
  if (faultyLine === undefined) return [];
  const line = text.split('\n')[faultyLine - 1] ?? '';
  if (/^\s*\[/.test(line) || (sections.length > 0 && !line.includes('=')))
    return [rejectedConfig(path, `the text of a unit cannot be read at its line ${faultyLine}`)];
  const message = `systemd leaves out what it does not understand, as line ${faultyLine} of this text`;
  return [{ kind: 'idle', path, target: 'value', message }];
}

function dropinFaults(dropins: readonly FoundEntry[], unit: FieldPath): readonly Fault[] {
  const seen = new Set<unknown>();
  return dropins.flatMap(({ path, entry }) => {
    const { name, contents } = entry;
    const here = [...unit, ...path];
    const isAgain = typeof name === 'string' && seen.has(name);
    seen.add(name);
    return [
      ...(isAgain ? [rejectedConfig([...here, 'name'], `drop-in ${quoted(name)} is in its unit twice`)] : []),
      ...textFaults(contents, [...here, 'contents']),
    ];
  });
}

function enablingFaults({ path, entry }: FoundEntry): readonly Fault[] {
  const { enabled, contents } = entry;
  if (enabled !== true || typeof contents !== 'string' || contents === '') return [];
  const texts = [contents, ...entriesAt(entry, ['dropins']).map((dropin) => dropin.entry['contents'])];
  if (texts.some(saysWhere)) return [];
  const message = 'enabling a unit without an [Install] section has no effect';
  return [{ kind: 'idle', path: [...path, 'enabled'], target: 'value', message }];
}

function saysWhere(text: unknown): boolean {
  return typeof text === 'string' && parseUnit(text).sections.includes('Install');
}
