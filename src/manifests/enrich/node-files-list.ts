import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { resultOf, type Result } from '../../core/result.js';

/** The one list of what the installation writes to the disk; the scripts on the node read the same file. */
export const nodeFilesList = 'openshift/bootstrap-in-place/node-files.list';

/** A line of the list that puts something into the config of the node. */
export type CarriedRow = CarriedFiles | CarriedUnit;

/** A row of the list for files that are carried onto the installed node; paths in the live system are relative to its root. */
export interface CarriedFiles {
  readonly kind: 'files';
  readonly mode: number;
  /** A file, or with a trailing slash every file below a folder. */
  readonly source: string;
  /** Absolute on the node, with a trailing slash when the source has one. */
  readonly path: string;
  readonly isOptional: boolean;
}

/** A row of the list for a unit that is carried, enabled. */
export interface CarriedUnit {
  readonly kind: 'unit';
  readonly source: string;
  readonly name: string;
}

/**
 * The rows of node-files.list that are carried, in its order; its head says what the columns mean. `file` is the name
 * that messages show. Problems: enrich/list.
 */
export function parseNodeFilesList(text: string, file: string): Result<readonly CarriedRow[]> {
  const rows: CarriedRow[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const row = parseLine(line.trim().split(/\s+/));
    if (typeof row === 'string') {
      problems.push(problem('enrich/list', row, { at: { file, line: index + 1 } }));
    } else if (row !== undefined) rows.push(row);
  }
  return resultOf(rows, problems);
}

/** The row; undefined for one that is not carried; what is wrong with it. */
function parseLine(fields: readonly string[]): CarriedRow | string | undefined {
  const [fate = '', mode = '', source = '', path = ''] = fields;
  if (fields.length !== 4) return `a line has ${fields.length} columns, expected fate, mode, source and path`;
  if (!['keep', 'remove', 'last'].includes(fate)) {
    return `the fate is ${quoted(fate)}, expected keep, remove or last`;
  }
  if (mode === '-' || mode === 'preset') return undefined;
  if (mode === 'unit') return unitRow(source, path);
  if (/^0[0-7]{3}$/.test(mode)) return filesRow(Number.parseInt(mode, 8), source, path);
  return `the mode is ${quoted(mode)}, expected 0 and three octal digits, unit, preset or -`;
}

function unitRow(source: string, path: string): CarriedUnit | string {
  const name = /^\/etc\/systemd\/system\/([^/\s]+)$/.exec(path)?.[1];
  if (name === undefined) return `the unit ${quoted(path)} is not a file of /etc/systemd/system`;
  return { kind: 'unit', source, name };
}

function filesRow(mode: number, given: string, path: string): CarriedFiles | string {
  const source = given.replace(/^\?/, '');
  if (!path.startsWith('/')) return `the path ${quoted(path)} is not absolute`;
  if (source.endsWith('/') !== path.endsWith('/')) {
    return `${quoted(source)} and ${quoted(path)} are not both files or both folders`;
  }
  return { kind: 'files', mode, source, path, isOptional: given !== source };
}
