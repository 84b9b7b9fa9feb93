import { maskedWord } from '../../core/quoted.js';
import { problem, type Problem } from '../../core/problem.js';
import type { Result } from '../../core/result.js';
import { masterUpdate, parseMasterUpdate } from '../enrich/master-update.js';
import { nodeFilesList, parseNodeFilesList } from '../enrich/node-files-list.js';
import { nodeAt, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import type { Templates } from '../../graph/context.js';
import { postInstallNodeFiles } from '../post-install/post-install-files.js';
import { reportNodeFiles } from '../../config/report/report-files.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { hostnamePath } from './check-hostname.js';
import { isMachineConfig, roleOf } from './check-machine-config.js';

/** Files and units that the installation writes to the node's disk. */
export interface ReservedPaths {
  /** Paths of files and folders, without a trailing slash. */
  readonly paths: ReadonlySet<string>;
  /** Folders that belong to the installation as a whole, with a trailing slash. */
  readonly wholeFolders: readonly string[];
  readonly units: ReadonlySet<string>;
}

/**
 * Reads the lists from which the node's Ignition config is built; the build fails if two sources write one path. Includes the
 * files of reporting and of post-install manifests even if they are not used.
 */
export function reservedPathsOf(templates: Templates): ReservedPaths {
  const read = (name: string) => templates.text(`live/opt/${name}`);
  const list = `${read(nodeFilesList)}${reportNodeFiles(templates)}${postInstallNodeFiles(templates)}`;
  const rows = trusted(parseNodeFilesList(list, nodeFilesList));
  const folders = trusted(parseMasterUpdate(read(masterUpdate), masterUpdate));
  // If a MachineConfig sets the host name, the installation does not write /etc/hostname. hostnameProblems checks the name.
  const carried = rows.flatMap((row) =>
    row.kind === 'files' && row.path !== hostnamePath ? [row.path] : [],
  );
  return {
    paths: new Set([...carried, ...folders.map(({ path }) => path)].map(withoutSlash)),
    wholeFolders: carried.filter((path) => path.endsWith('/')),
    units: new Set(rows.flatMap((row) => (row.kind === 'unit' ? [row.name] : []))),
  };
}

/** Unwraps the result of parsing an embedded file. Throws an internal error on failure. */
function trusted<T>(result: Result<T>): T {
  if (!result.ok)
    throw new Error(`internal error: ${result.problems.map(({ message }) => message).join(', ')}`);
  return result.value;
}

/**
 * Reports master MachineConfigs that write paths or units of the installation. The node would only fail on them at the end of the
 * bootstrap. Problems: manifest/machine-config-conflict.
 */
export function reservedPathProblems(
  objects: readonly SourcedObject[],
  claims: ReservedPaths,
): readonly Problem[] {
  const isClaimed = (text: string): boolean =>
    claims.paths.has(withoutSlash(text)) || claims.wholeFolders.some((folder) => text.startsWith(folder));
  return objects
    .filter((each) => isMachineConfig(each) && roleOf(each) === 'master')
    .flatMap((each) => [
      ...['files', 'directories', 'links'].flatMap((kind) =>
        conflicts(each, { list: ['storage', kind], key: 'path' }, isClaimed),
      ),
      ...conflicts(each, { list: ['systemd', 'units'], key: 'name' }, (name) => claims.units.has(name)),
    ]);
}

function conflicts(
  { object, source }: SourcedObject,
  { list, key }: { readonly list: FieldPath; readonly key: string },
  isClaimed: (text: string) => boolean,
): readonly Problem[] {
  const listPath = ['spec', 'config', ...list];
  const entries = nodeAt(source.root, listPath);
  const count = entries?.kind === 'list' ? entries.items.length : 0;
  return Array.from({ length: count }, (_, index) => [...listPath, index, key]).flatMap((path) => {
    const node = nodeAt(source.root, path);
    if (node?.kind !== 'scalar' || !isClaimed(node.text)) return [];
    const message = `MachineConfig ${maskedWord(object.metadata.name)} writes ${node.text}, which the installation writes`;
    const hint = key === 'path' ? 'take another path' : 'give the unit another name';
    return [
      problem('manifest/machine-config-conflict', message, { at: manifestFieldPlace(source, path), hint }),
    ];
  });
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
