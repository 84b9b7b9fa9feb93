import { quoted } from '../../core/quoted.js';
import { foldersAbove, isPlainPath } from '../check-paths.js';
import { refused, type Fault } from './ignition-fault.js';
import { entriesAt, valueAt, type FoundEntry } from './plain-config.js';
import { resourceFaults } from './resource-faults.js';
import { unitTextFaults } from './unit-faults.js';

/**
 * What is wrong with a config beyond its single fields, as far as these can be read: places and names twice, what lies below what is no
 * folder, contents that cannot be decoded, units that systemd cannot read. Source: Validate of coreos/ignition config/v3_*.
 */
export function contentsFaults(config: unknown, minor: number): readonly Fault[] {
  return [
    ...nodeFaults(config, minor),
    ...resourceFaults(config, minor),
    ...unitTextFaults(config),
    ...keyedLists.flatMap(([path, key]) => repeatedKeys(entriesAt(config, path), key)),
  ];
}

/** Lists whose entries are known by a field. */
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
    // A source is contents, which no message shows.
    const what = key === 'source' ? 'the same source' : quoted(value);
    return [refused([...path, key], `${what} stands in the config twice`, 'leave out one of the two')];
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
  return [refused([...path, 'path'], `${quoted(place)} is not a plain absolute path`)];
}

/** Nothing lies below a file or a link. */
function folderFaults(nodes: readonly FoundEntry[], noFolders: ReadonlySet<string>): readonly Fault[] {
  return nodes.flatMap(({ path, entry }) => {
    const place = entry['path'];
    const above =
      typeof place === 'string' ? foldersAbove(place).find((folder) => noFolders.has(folder)) : undefined;
    if (above === undefined) return [];
    const message = `${quoted(String(place))} lies below ${quoted(above)}, which is no folder`;
    return [refused([...path, 'path'], message)];
  });
}

function ownerFaults({ path, entry }: FoundEntry): readonly Fault[] {
  return ['user', 'group'].flatMap((kind) => {
    const [id, name] = ['id', 'name'].map((each) => valueAt(entry, [kind, each]));
    if (id === undefined || name === undefined || name === '') return [];
    return [refused([...path, kind], `the ${kind} is given by id and by name, expected one of the two`)];
  });
}

function overwriteFaults({ path, entry }: FoundEntry): readonly Fault[] {
  if (entry['overwrite'] !== true || valueAt(entry, ['contents', 'source']) !== undefined) return [];
  return [
    refused(
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
  return [{ kind: 'idle', path: [...path, 'mode'], target: 'value', message }];
}

function pathsOf(entries: readonly FoundEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ entry }) => (typeof entry['path'] === 'string' ? [entry['path']] : [])));
}
