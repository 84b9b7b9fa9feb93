import { byName, byPath } from '../../core/compare.js';
import { type Problem, problem } from '../../core/problem.js';
import { type Failure, type Result, failure, problemsOf, resultOf, success } from '../../core/result.js';
import { base64Url } from '../../formats/data-url.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { InputRead } from '../../graph/context.js';
import { specVersion } from '../../ignition/build-config.js';
import { checkConfig } from '../../ignition/check-config.js';
import { serializeConfig } from '../../ignition/serialize.js';
import type { IgnitionConfig, IgnitionUnit, NodeFile } from '../../ignition/types.js';
import type { AssetFolder, NamedFile } from './asset-folder.js';
import { type MasterConfig, readMasterConfig } from './master-config.js';
import { checkNodeConfigSize } from './master-size.js';
import { type NodeFolder, masterUpdate, parseMasterUpdate } from './master-update.js';
import {
  type NodeFilesRow,
  type NodeRow,
  type NodeUnitRow,
  nodeFilesList,
  parseNodeFilesList,
  copyHint,
} from './node-files-list.js';
import { withSnapshot } from './snapshot.js';

/** The Ignition config of the installed node, with its sources. */
export interface EnrichedConfig {
  readonly text: string;
  readonly config: IgnitionConfig;
  /** Names of the inputs in the asset folder, folders with a trailing slash. */
  readonly sources: readonly string[];
  /** Whether a MachineConfig sets the host name. */
  readonly hasHostname: boolean;
}

/**
 * Builds the Ignition config of the installed node: it merges the unchanged master config, and contains the files and units of
 * node-files.list and the folders of master-update.fcc. Equivalent to the node's own step, which uses Butane.
 * Problems: enrich/*, ignition/conflict, ignition/invalid.
 */
export function enrich(given: AssetFolder, input: NamedFile): Result<EnrichedConfig> {
  const master = readMasterConfig(input);
  const plan = readPlan(given);
  const folder = withSnapshot(given);
  if (!master.ok || !plan.ok || !folder.ok) {
    return failure(...[master, plan, folder].flatMap(problemsOf));
  }
  const hasHostname = master.value.filePaths.includes(hostnamePath);
  const rows = plan.value.rows.filter((row) => !(hasHostname && isHostname(row)));
  const carried = readCarried(folder.value, rows);
  if (!carried.ok) return carried;
  const tooLarge = checkNodeConfigSize(base64Size(master.value, carried.value)).filter(isTooLarge);
  if (tooLarge.length > 0) return failure(...tooLarge);
  const config = assemble(master.value, carried.value, plan.value.folders);
  const text = serializeConfig(config);
  return resultOf({ text, config, sources: rows.map(({ source }) => source), hasHostname }, [
    ...problemsOf(master),
    ...conflictsWith(master.value, config),
    ...checkConfig(config),
    ...checkNodeConfigSize(Buffer.byteLength(text)),
  ]);
}

const hostnamePath = '/etc/hostname';

function isHostname(row: NodeRow): boolean {
  return row.kind === 'files' && row.path === hostnamePath;
}

interface Plan {
  readonly rows: readonly NodeRow[];
  readonly folders: readonly NodeFolder[];
}

function readPlan(folder: AssetFolder): Result<Plan> {
  const rows = parsed(folder, nodeFilesList, parseNodeFilesList);
  const folders = parsed(folder, masterUpdate, parseMasterUpdate);
  if (!rows.ok || !folders.ok) return failure(...problemsOf(rows), ...problemsOf(folders));
  return success({ rows: rows.value, folders: folders.value });
}

function parsed<T>(
  folder: AssetFolder,
  source: string,
  parse: (text: string, file: string) => Result<T>,
): Result<T> {
  const file = folder.pathOf(source);
  const read = folder.read(source);
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text !== undefined) return parse(text, file);
  const fault = read.kind === 'absent' ? 'is missing' : 'cannot be read as text';
  return failure(problem('enrich/list', `${file} ${fault}`, { hint: copyHint }));
}

/** Estimated size of the contents in the config, calculated before building it. */
function base64Size({ bytes }: MasterConfig, { files }: CarriedContents): number {
  const sizes = [bytes, ...files.map(({ contents }) => contents)].map((each) => Buffer.byteLength(each));
  return sizes.reduce((sum, size) => sum + Math.ceil(size / 3) * 4, 0);
}

function isTooLarge({ code }: Problem): boolean {
  return code === 'enrich/too-large';
}

/** Sorts by path and name, so the output does not depend on the order of the list. */
function assemble(
  { bytes }: MasterConfig,
  { files, units }: CarriedContents,
  folders: readonly NodeFolder[],
): IgnitionConfig {
  return {
    ignition: { version: specVersion, config: { merge: [{ source: base64Url(bytes) }] } },
    storage: {
      directories: folders.toSorted(byPath).map(({ path, mode }) => ({ path, mode, user: { name: 'root' } })),
      files: files.toSorted(byPath).map(fileEntry),
    },
    systemd: { units: units.toSorted(byName) },
  };
}

/** Uses the mode of the list. A readable secret in the list is reported as a problem and not corrected here. */
function fileEntry({ path, mode, contents }: NodeFile) {
  const source = base64Url(Buffer.from(contents));
  return { path, mode, user: { name: 'root' as const }, overwrite: true, contents: { source } };
}

/** Reports entries that the merged config also contains. Ignition uses the merged one, so the node would start with wrong contents. */
function conflictsWith(
  { filePaths, otherPaths, unitNames }: MasterConfig,
  { storage, systemd }: IgnitionConfig,
): readonly Problem[] {
  const units = (systemd?.units ?? []).map(({ name }) => name);
  const ours = new Set([
    ...[...(storage?.files ?? []), ...(storage?.directories ?? [])].map(({ path }) => path),
    ...units.map((name) => `/etc/systemd/system/${name}`),
  ]);
  const hint = 'leave it out of the MachineConfig that brings it';
  return [
    ...[...filePaths, ...otherPaths]
      .filter((path) => ours.has(path))
      .map((path) => `the input has ${path}, which the bootstrap carries to the node`),
    ...unitNames
      .filter((name) => units.includes(name))
      .map((name) => `the input has a unit ${name}, which the bootstrap carries to the node`),
  ].map((message) => problem('enrich/conflict', message, { hint }));
}

/** Files and units of the list, in its order. */
interface CarriedContents {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** Reads all files of the list and reports every missing one. Problems: enrich/missing-file, enrich/list. */
function readCarried(folder: AssetFolder, rows: readonly NodeRow[]): Result<CarriedContents> {
  const read = rows.map((row) =>
    row.kind === 'unit'
      ? contentsOf(readUnit(folder, row), (unit) => ({ files: [], units: [unit] }))
      : contentsOf(readFiles(folder, row), (files) => ({ files, units: [] })),
  );
  const problems = read.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) return failure(...problems);
  const contents = read.flatMap((result) => (result.ok ? [result.value] : []));
  return success({
    files: contents.flatMap(({ files }) => files),
    units: contents.flatMap(({ units }) => units),
  });
}

function contentsOf<T>(result: Result<T>, form: (value: T) => CarriedContents): Result<CarriedContents> {
  return result.ok ? success(form(result.value)) : result;
}

function readFiles(folder: AssetFolder, row: NodeFilesRow): Result<readonly NodeFile[]> {
  const { source, path, mode, isOptional } = row;
  const listed = source.endsWith('/') ? folder.list(source) : theFileItself;
  if (listed.kind !== 'folder')
    return isOptional && listed.kind === 'absent' ? success([]) : missing(folder, row, listed);
  const reads = listed.names.map((name) => ({ name, read: folder.read(`${source}${name}`) }));
  if (isOptional && reads.every(({ read }) => read.kind === 'absent')) return success([]);
  const problems = reads.flatMap(({ name, read }) =>
    read.kind === 'file'
      ? []
      : missing(folder, { source: `${source}${name}`, path: `${path}${name}` }, read).problems,
  );
  if (problems.length > 0) return failure(...problems);
  return success(
    reads.flatMap(({ name, read }) =>
      read.kind === 'file' ? [{ path: `${path}${name}`, mode, contents: read.bytes }] : [],
    ),
  );
}

const theFileItself = { kind: 'folder', names: [''] } as const;

function readUnit(folder: AssetFolder, { source, name }: NodeUnitRow): Result<IgnitionUnit> {
  const read = folder.read(source);
  if (read.kind !== 'file') return missing(folder, { source, path: `unit ${name}` }, read);
  const contents = decodeUtf8(read.bytes);
  if (contents !== undefined) return success({ name, enabled: true, contents });
  const file = folder.pathOf(source);
  return failure(
    problem('enrich/list', `${file} is not UTF-8 text, expected a unit`, { at: { file }, hint: copyHint }),
  );
}

function missing(
  folder: AssetFolder,
  { source, path }: Pick<NodeFilesRow, 'source' | 'path'>,
  read: Exclude<InputRead, { readonly kind: 'file' }>,
): Failure {
  const fault = read.kind === 'absent' ? 'is missing' : `cannot be read (${read.reason})`;
  const message = `${folder.pathOf(source)} ${fault}; the installed node needs it as ${path}`;
  return failure(problem('enrich/missing-file', message));
}
