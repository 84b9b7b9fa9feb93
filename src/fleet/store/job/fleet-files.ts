import { posix } from 'node:path';

import { isRecord } from '../../../core/is-record.js';
import { problem } from '../../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../../core/result.js';
import { namesSecret, redactSecrets } from '../../../core/secrets.js';
import type { LoadedFleet } from '../../check-fleet.js';
import { classesFolder, fleetFileName } from '../../fleet-paths.js';
import { decodeDataUrl } from '../../../formats/data-url.js';
import { decodeUtf8 } from '../../../formats/utf8.js';
import { toData } from '../../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../../formats/yaml/yaml.js';
import type { Inputs } from '../../../graph/context.js';
import { isPrivate } from '../../../review/private-text.js';

/** A file that is mounted into the pods. */
export interface FleetFile {
  /** Relative to the folder of the fleet. */
  readonly path: string;
  /** Key in the ConfigMap or Secret; keys cannot contain slashes. */
  readonly key: string;
  readonly bytes: Uint8Array;
  /** Whether the file contains, or may contain, a secret. */
  readonly isSecret: boolean;
}

/** Files of a fleet, and the environment variables that its configs refer to. */
export interface FleetParts {
  readonly files: readonly FleetFile[];
  /** Names from `env:NAME`, sorted. */
  readonly variables: readonly string[];
}

/** Paths and variables of a fleet. */
interface TableAndPaths {
  readonly fleet: Pick<LoadedFleet['fleet'], 'sites' | 'base' | 'classes' | 'overrides' | 'variables'>;
  readonly table: Pick<LoadedFleet['table'], 'columns'>;
}

/**
 * Files that a pod needs to create the sites of a fleet: fleet.yaml, the table, the base, the classes and the overrides, but no other
 * files of the folder. `secret` contains the variables whose values are secrets. Problems: job/files, job/stdin.
 */
export function fleetParts(
  inputs: Inputs,
  { fleet, table }: TableAndPaths,
  secret: ReadonlySet<string>,
): Result<FleetParts> {
  const classes = fleet.classes.length > 0 ? [classesFolder] : [];
  const paths = [fleetFileName, fleet.sites, fleet.base, ...classes, fleet.overrides].flatMap((path) =>
    below(inputs, path),
  );
  const read = [...new Set(paths)].map((path) => readAt(inputs, path));
  const problems = read.flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  const found = read.flatMap((each) => (each.ok ? [each.value] : []));
  const references = found.flatMap(referencesIn);
  if (references.some(({ to }) => to === '-')) return noStdin();
  const hidden = new Set(references.flatMap(({ field, to }) => (field === 'pullSecretFile' ? [to] : [])));
  const tells = (names: Iterable<string>): boolean => [...names].some((name) => secret.has(name));
  const roleOf = (path: string): 'fleet' | 'table' | 'site' => {
    if (path === fleetFileName) return 'fleet';
    return isBelow(path, fleet.sites) ? 'table' : 'site';
  };
  const isSecret = ({ path, text }: Found): boolean =>
    (path === fleetFileName && tells(fleet.variables.keys())) ||
    (isBelow(path, fleet.sites) && tells(table.columns.keys())) ||
    [...hidden].some((name) => path === name || path.endsWith(`/${name}`)) ||
    text === undefined ||
    !isPlainFile({ path, text, role: roleOf(path) });
  return success({
    files: withKeys(found.map((each) => ({ ...each, isSecret: isSecret(each) }))),
    variables: [
      ...new Set(references.flatMap(({ to }) => (to.startsWith('env:') ? [to.slice(4)] : []))),
    ].sort(),
  });
}

function below(inputs: Inputs, path: string): readonly string[] {
  const names = inputs.list(path);
  if (names === undefined) return inputs.read(path).kind === 'absent' ? [] : [path];
  // Hidden files belong to editors or Git.
  return names
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => below(inputs, posix.join(path, name.replace(/\/$/, ''))));
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

interface Found {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Undefined if the file is not UTF-8. */
  readonly text: string | undefined;
}

function readAt(inputs: Inputs, path: string): Result<Found> {
  const read = inputs.read(path);
  if (read.kind === 'file') return success({ path, bytes: read.bytes, text: decodeUtf8(read.bytes) });
  const reason = read.kind === 'absent' ? 'it does not exist' : read.reason;
  return failure(problem('job/files', `cannot read a file of the fleet: ${reason}`, { at: { file: path } }));
}

/** References of configs to other inputs: a file, `env:NAME`, or `-`. */
function referencesIn({
  path,
  text = '',
}: Found): readonly { readonly field: string; readonly to: string }[] {
  if (posix.basename(path) !== 'sno-config.yaml') return [];
  return [...text.matchAll(/["']?\b(\w+File)["']?\s*:\s*["']?([^\s"',}#]+)/g)].map(
    ([, field = '', to = '']) => ({ field, to: to.replace(/^\.\//, '') }),
  );
}

function noStdin(): Result<never> {
  const message = 'a config reads a value from standard input, which is not available in a pod';
  return failure(problem('job/stdin', message, { hint: 'use a file in the base, or env:NAME' }));
}

/** Keys consist of letters, digits, ".", "_" and "-". Source: kubernetes.io/docs/concepts/configuration/configmap */
function withKeys(files: readonly Omit<FleetFile, 'key'>[]): readonly FleetFile[] {
  const taken = new Set<string>();
  return files.map((file) => {
    const plain = file.path.replaceAll(/[^-._A-Za-z0-9]/g, '_').slice(-200);
    let key = plain;
    for (let number = 2; taken.has(key); number += 1) key = `${plain}-${number}`;
    taken.add(key);
    return { ...file, key };
  });
}

/** Files with known fields. All others, such as manifests, keys and extra files, may contain secrets. */
const configNames = new Set(['install-config.yaml', 'sno-config.yaml']);

/**
 * Whether a file is fleet.yaml, its table or a config, and none of its documents contains a possible secret. Any other file, and any
 * file that cannot be parsed, counts as secret.
 */
export function isPlainFile({
  path,
  text,
  role,
}: {
  readonly path: string;
  readonly text: string;
  readonly role: 'fleet' | 'table' | 'site';
}): boolean {
  if (role === 'site' && !configNames.has(posix.basename(path))) return false;
  if (redactSecrets(text) !== text || commentOfSecret.test(text)) return false;
  if (role === 'table' && !/\.(?:ya?ml|json)$/i.test(path)) return !namesSecret(text);
  const { documents, faults } = readYaml(text);
  const values = documents.map((each) => toData(each));
  const isKnown = role !== 'table' || values.every(isOfTable);
  return faults.length === 0 && isKnown && values.every((value) => isPlain(value, 0));
}

/** A list of sites, or a ClusterInstance. A folder of ClusterInstances can contain other objects, such as Secrets. */
function isOfTable(value: unknown): boolean {
  return Array.isArray(value) || (isRecord(value) && value['kind'] === 'ClusterInstance');
}

/** A comment that may contain a secret. */
const commentOfSecret =
  /#.*(?:auth|pass|secret|token|key|credential|private|login|pwd?|psk|pin)\w*["']?\s*[:=]\s*\S/i;

/** Maximum depth of documents embedded in strings. */
const deepest = 8;

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isPlainText(value, depth);
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth));
  if (!isRecord(value)) return true;
  if (isOfSecret(value['kind']) || isPrivateMode(value['mode'])) return false;
  return Object.entries(value).every(([name, member]) =>
    isSecretField(name, member) ? false : isPlainText(name, depth) && isPlain(member, depth),
  );
}

/** A kind with a placeholder may become Secret. */
function isOfSecret(kind: unknown): boolean {
  return typeof kind === 'string' && /Secret|\$\{/.test(kind);
}

/** Modes are octal in YAML and decimal in JSON; a string can be either. */
function isPrivateMode(mode: unknown): boolean {
  const bits = typeof mode === 'string' ? [parseInt(mode.replace('0o', ''), 8), Number(mode)] : [mode];
  return bits.some((each) => typeof each === 'number' && (Number.isNaN(each) || isPrivate(each)));
}

/** A field whose name indicates a secret, unless its value is a boolean or a reference to a file or object. */
function isSecretField(name: string, value: unknown): boolean {
  if (!namesSecret(name) || /(?:File|Files|Ref|Name)$/.test(name)) return false;
  return value !== null && value !== '' && typeof value !== 'boolean';
}

function isPlainText(text: string, depth: number): boolean {
  if (redactSecrets(text) !== text || /\bauths?\\*["']/.test(text)) return false;
  if (/^\s*data:/.test(text)) {
    const decoded = decodeDataUrl(text.trim());
    return decoded !== undefined && isPlainText(decoded.toString('utf8'), depth + 1);
  }
  if (!/[\n=]|:\s|^\s*[{[?&!]/.test(text)) return true;
  return !text.split('\n').some(namesSecret) && isPlainWithin(text, depth);
}

/** Text that is not valid YAML counts as prose; its lines were already checked. */
function isPlainWithin(text: string, depth: number): boolean {
  const { documents, faults } = readYaml(text);
  if (faults.length > 0) return !/kind|mode/.test(text);
  const values = documents.map((each) => toData(each)).filter((value) => value !== text.trim());
  return depth < deepest && values.every((value) => isPlain(value, depth + 1));
}
