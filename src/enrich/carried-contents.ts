import { problem } from '../core/problem.js';
import { failure, success, type Failure, type Result } from '../core/result.js';
import { decodeUtf8 } from '../formats/utf8.js';
import type { InputRead } from '../graph/context.js';
import type { IgnitionUnit, NodeFile } from '../ignition/types.js';
import type { AssetFolder } from './assets-of-node.js';
import type { CarriedFiles, CarriedRow, CarriedUnit } from './node-files-list.js';

/** What the rows of the list put on the node, in their order. */
export interface CarriedContents {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
}

/** Reads every file that is carried, all that are missing reported at once. Problems: enrich/missing-file, enrich/list. */
export function readCarried(folder: AssetFolder, rows: readonly CarriedRow[]): Result<CarriedContents> {
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

function readFiles(folder: AssetFolder, row: CarriedFiles): Result<readonly NodeFile[]> {
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

function readUnit(folder: AssetFolder, { source, name }: CarriedUnit): Result<IgnitionUnit> {
  const read = folder.read(source);
  if (read.kind !== 'file') return missing(folder, { source, path: `unit ${name}` }, read);
  const contents = decodeUtf8(read.bytes);
  if (contents !== undefined) return success({ name, enabled: true, contents });
  const file = folder.pathOf(source);
  return failure(problem('enrich/list', `${file} is not UTF-8 text, expected a unit`, { at: { file } }));
}

function missing(
  folder: AssetFolder,
  { source, path }: Pick<CarriedFiles, 'source' | 'path'>,
  read: Exclude<InputRead, { readonly kind: 'file' }>,
): Failure {
  const fault = read.kind === 'absent' ? 'is missing' : `cannot be read (${read.reason})`;
  const message = `${folder.pathOf(source)} ${fault}; the installed node needs it as ${path}`;
  return failure(problem('enrich/missing-file', message));
}
