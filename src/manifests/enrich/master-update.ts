import { isRecord } from '../../core/is-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson } from '../../formats/json.js';
import { isList, fieldAt, listAt } from '../../kube/fields.js';
import { copyHint } from './node-files-list.js';

/** A Butane config; the node adds the files of the list and runs Butane on it. */
export const masterUpdate = 'openshift/bootstrap-in-place/master-update.fcc';

/** A folder to create on the node, with its mode. */
export interface NodeFolder {
  readonly path: string;
  readonly mode: number;
}

/**
 * Reads the folders of master-update.fcc. Its files and units must be empty, because the list contains them; the only config it merges
 * is the input. Rejects everything else that Butane would translate. Problems: enrich/list.
 */
export function parseMasterUpdate(text: string, file: string): Result<readonly NodeFolder[]> {
  const refuse = (fault: string): Result<never> =>
    failure(problem('enrich/list', `master-update.fcc ${fault}`, { at: { file }, hint: copyHint }));
  const document = parseJson(text);
  if (!isRecord(document)) return refuse('is not a JSON object');
  if (document['variant'] !== 'fcos' || document['version'] !== '1.1.0') {
    return refuse('is not a Butane document of variant fcos, version 1.1.0');
  }
  const unknown = unknownMember(document);
  if (unknown !== undefined) return refuse(`has ${unknown}, which this version cannot translate`);
  if (listAt(document, ['ignition', 'config', 'merge']).length !== 1)
    return refuse('does not merge one config');
  const folders = listAt(document, ['storage', 'directories']);
  return folders.every(isNodeFolder)
    ? success(folders)
    : refuse('has a folder without a plain path and mode');
}

/** Supported fields of the document, by the path of their object. */
const knownMembers: readonly (readonly [path: readonly string[], members: readonly string[]])[] = [
  [[], ['variant', 'version', 'ignition', 'storage', 'systemd']],
  [['ignition'], ['config']],
  [['ignition', 'config'], ['merge']],
  [['storage'], ['directories', 'files']],
  [['systemd'], ['units']],
];

function unknownMember(document: unknown): string | undefined {
  const unknown = knownMembers.flatMap(([path, members]) => {
    const object = fieldAt(document, path);
    const names = isRecord(object) ? Object.keys(object) : [];
    return names.filter((name) => !members.includes(name)).map((name) => [...path, name].join('.'));
  });
  const filled = [
    ['storage', 'files'],
    ['systemd', 'units'],
  ].filter((path) => !isEmptyList(fieldAt(document, path)));
  return [...unknown, ...filled.map((path) => path.join('.'))][0];
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (isList(value) && value.length === 0);
}

function isNodeFolder(value: unknown): value is NodeFolder {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  const { path, mode } = value;
  return (
    typeof path === 'string' &&
    path.startsWith('/') &&
    Number.isInteger(mode) &&
    Number(mode) >= 0 &&
    Number(mode) <= 0o777
  );
}
