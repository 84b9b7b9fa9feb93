import { isRecord } from '../../core/is-record.js';
import { omitKeys, sortedRecord } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { checkedAs } from '../../formats/apply-schema.js';
import { parseJson, whyNotJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { insidePath } from './last-run.js';
import type { State } from './state-model.js';
import {
  listShape,
  objectShape,
  recordShape,
  textShape,
  timeShape,
  trueShape,
  type Shape,
} from './state-shape.js';

const stateVersion = 2;

/** Keys of version 2 whose names differ from the fields of `State`, with their names in version 1, the format of 0.1.0. */
const keysOfVersion1 = {
  generatedValues: 'draws',
  generatedValuesDigest: 'drawsDigest',
  externalValueHashes: 'elsewhere',
} as const;

/** One line per generated value, keys sorted, so that a copy in a vault can be compared by eye. */
export function serializeState(state: State): string {
  const { generatedValues, written, environment, cluster, bootableFrom, bootableUntil } = state;
  const { recipients, externalValueHashes, pruned, mustResealOutputs } = state;
  const value = {
    version: stateVersion,
    note: externalValueHashes
      ? 'contains no keys; they are stored elsewhere under the labels in `externalValueHashes`'
      : 'contains every private key of the cluster: protect it like a password',
    ...(recipients && { recipients }),
    ...(cluster && { cluster: { name: cluster.name, baseDomain: cluster.baseDomain } }),
    ...(bootableFrom !== undefined && { bootableFrom }),
    ...(bootableUntil !== undefined && { bootableUntil }),
    environment: sorted(environment),
    generatedValues: sorted(generatedValues),
    generatedValuesDigest: digestOf(generatedValues),
    ...(externalValueHashes && { externalValueHashes: sorted(externalValueHashes) }),
    ...(pruned && { pruned }),
    ...(mustResealOutputs && { mustResealOutputs }),
    ...(Object.keys(written).length > 0 && { written: sorted(written) }),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** State with the names of the current version. Unknown members are ignored. Version 1 has all of `written`, and `sealed`. */
const stateShape: Shape = objectShape(
  {
    generatedValues: (value, path) =>
      recordShape(textShape())(value, path) ?? objectShape({}, { clock: timeShape })(value, path),
    environment: recordShape(textShape()),
  },
  {
    written: recordShape(textShape(), insidePath),
    cluster: objectShape({ name: textShape(), baseDomain: textShape() }),
    generatedValuesDigest: textShape(),
    bootableFrom: timeShape,
    bootableUntil: timeShape,
    recipients: listShape(textShape()),
    externalValueHashes: recordShape(textShape()),
    pruned: listShape(textShape()),
    sealed: recordShape(textShape(), insidePath),
    mustResealOutputs: trueShape,
  },
);

/** Problems: dir/state-unreadable, dir/state-version. */
export function parseState(json: string, shownAs: string): Result<State> {
  const value = parseJson(json);
  if (value === undefined) return unreadable(shownAs, `it ${whyNotJson(json)}`);
  if (!isRecord(value)) return unreadable(shownAs, 'it is not a JSON object');
  const names = namesOfVersion(value['version']);
  if (names === undefined) {
    const message = `${shownAs} has ${shownVersion(value['version'])}, expected version ${stateVersion}`;
    return failure(problem('dir/state-version', message, { at: { file: shownAs } }));
  }
  const current = withCurrentNames(value, names);
  const fault = stateShape(current, '');
  if (fault !== undefined) {
    const path = pathInFile(fault.path, names);
    return unreadable(shownAs, `expected ${fault.expected} at ${path}`, path);
  }
  const document = checkedAs<StateDocument>(current);
  const { generatedValues, externalValueHashes } = document;
  const { written = {}, environment, cluster, bootableFrom, bootableUntil, recipients, pruned } = document;
  const { sealed, mustResealOutputs } = document;
  return success({
    generatedValues,
    ...(names['generatedValues'] !== undefined && { generatedValuesName: names['generatedValues'] }),
    written,
    environment,
    lastRuns: {},
    ...(cluster && { cluster: { name: cluster.name, baseDomain: cluster.baseDomain } }),
    ...(document.generatedValuesDigest !== digestOf(generatedValues) && { isAltered: true }),
    ...(bootableFrom !== undefined && { bootableFrom }),
    ...(bootableUntil !== undefined && { bootableUntil }),
    ...(recipients && { recipients }),
    ...(externalValueHashes && { externalValueHashes }),
    ...(pruned && { pruned }),
    ...(sealed && { sealed }),
    ...(mustResealOutputs && { mustResealOutputs }),
  });
}

/** Prints only a number; anything else may be a secret pasted by mistake. */
function shownVersion(version: unknown): string {
  return typeof version === 'number' ? `state version ${version}` : 'no numeric state version';
}

type StateDocument = Omit<State, 'lastRuns' | 'written' | 'externalValueHashes'> &
  Partial<Pick<State, 'written'>> & {
    readonly generatedValuesDigest?: string;
    readonly externalValueHashes?: Readonly<Record<string, string>>;
  };

/** Names in the file, by current name. */
type FileNames = Readonly<Record<string, string>>;

/** Keys of a version that differ from the current ones. Undefined if the version is not supported. */
function namesOfVersion(version: unknown): FileNames | undefined {
  if (version === stateVersion) return {};
  return version === 1 ? keysOfVersion1 : undefined;
}

function withCurrentNames(
  value: Readonly<Record<string, unknown>>,
  names: FileNames,
): Readonly<Record<string, unknown>> {
  const renamed = Object.entries(names).map(([name, inFile]): readonly [string, unknown] => [
    name,
    value[inFile],
  ]);
  return { ...omitKeys(value, Object.keys(names)), ...Object.fromEntries(renamed) };
}

/** Path of a fault with the names of the file. */
function pathInFile(path: string, names: FileNames): string {
  return path.replace(/^\w+/, (name) => names[name] ?? name);
}

/** Checksum that detects edited values without checking every key. No protection against an attacker. */
function digestOf(generatedValues: State['generatedValues']): string {
  return sha256(JSON.stringify(sorted(generatedValues)));
}

/**
 * `path` is the position of the fault within the state.
 * @internal
 */
export function unreadable(shownAs: string, reason: string, path?: string): Result<never> {
  const message = `the state file ${shownAs} is not valid: ${reason}`;
  const at = { file: shownAs, ...(path !== undefined && { path }) };
  return failure(problem('dir/state-unreadable', message, { at, hint: wayOut }));
}

const wayOut = 'restore it from a backup; moving it away creates a new cluster with new keys';

function sorted<V>(record: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return sortedRecord(Object.entries(record));
}
