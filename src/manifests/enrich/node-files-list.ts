import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { resultOf, type Result } from '../../core/result.js';

/** The list of the files that the installation writes to the disk; scripts on the node read the same list. */
export const nodeFilesList = 'openshift/bootstrap-in-place/node-files.list';

/** A row of the list that adds files or a unit to the node's config. */
export type NodeRow = NodeFilesRow | NodeUnitRow;

/** A row with files for the installed node. Paths in the live system are relative to its root. */
export interface NodeFilesRow {
  readonly kind: 'files';
  readonly mode: number;
  /** A file, or a folder with a trailing slash for all files below it. */
  readonly source: string;
  /** Absolute path on the node, with a trailing slash if the source has one. */
  readonly path: string;
  readonly isOptional: boolean;
}

/** A row with a unit, which is enabled on the installed node. */
export interface NodeUnitRow {
  readonly kind: 'unit';
  readonly source: string;
  readonly name: string;
}

/** Hint for a file of the live system with another format. */
export const copyHint =
  'copy it from the live system that this version of sno-install created, or name another folder with --asset-dir';

/**
 * Parses the rows of node-files.list for the installed node, in order. The header of the list documents the columns. `file` is the name
 * for messages. Problems: enrich/list.
 */
export function parseNodeFilesList(text: string, file: string): Result<readonly NodeRow[]> {
  const rows: NodeRow[] = [];
  const problems: Problem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const row = parseLine(line.trim().split(/\s+/));
    if (typeof row === 'string') {
      problems.push(problem('enrich/list', row, { at: { file, line: index + 1 }, hint: copyHint }));
    } else if (row !== undefined) rows.push(row);
  }
  return resultOf(rows, problems);
}

/** Returns the row, undefined for a row that is not for the installed node, or a fault. */
function parseLine(fields: readonly string[]): NodeRow | string | undefined {
  const [fate = '', mode = '', source = '', path = ''] = fields;
  if (fields.length !== 4) return `a line has ${fields.length} columns, expected fate, mode, source and path`;
  if (!['keep', 'remove', 'last', 'later'].includes(fate)) {
    return `the fate is ${quoted(fate)}, expected keep, remove, last or later`;
  }
  if (mode === '-' || mode === 'preset') return undefined;
  if (mode === 'unit') return unitRow(source, path);
  if (/^0[0-7]{3}$/.test(mode)) return filesRow(Number.parseInt(mode, 8), source, path);
  return `the mode is ${quoted(mode)}, expected 0 and three octal digits, unit, preset or -`;
}

function unitRow(source: string, path: string): NodeUnitRow | string {
  const name = /^\/etc\/systemd\/system\/([^/\s]+)$/.exec(path)?.[1];
  if (name === undefined) return `the unit ${quoted(path)} is not a file of /etc/systemd/system`;
  return { kind: 'unit', source, name };
}

function filesRow(mode: number, given: string, path: string): NodeFilesRow | string {
  const source = given.replace(/^\?/, '');
  if (!path.startsWith('/')) return `the path ${quoted(path)} is not absolute`;
  if (source.endsWith('/') !== path.endsWith('/')) {
    return `${quoted(source)} and ${quoted(path)} are not both files or both folders`;
  }
  return { kind: 'files', mode, source, path, isOptional: given !== source };
}
