import { createHmac } from 'node:crypto';

import { sortedRecord } from '../../core/map-record.js';
import { secretFile, type OutputFile } from '../../core/output-file.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { readTrusted } from '../trust.js';
import { insidePath, lastRunsShape } from './last-run.js';
import type { InputRecord } from './recorded-inputs.js';
import type { State } from './state-model.js';
import { countShape, objectShape, recordShape, textShape } from './state-shape.js';

/**
 * Record of the last runs in a directory, next to the state file. It changes with every input, so it is not committed: the state stays
 * the same until keys, IDs or times change. Contains no secret, also not as a plain hash.
 */
export const runRecordName = '.sno-install-record.json';

/** The members of a state that come from the record. */
export type RunRecord = Pick<State, 'written' | 'lastRuns'> & Required<Pick<State, 'sealed'>>;

/** Format version; a record of another version is ignored. */
const version = 1;

const shape = objectShape({
  version: countShape,
  cluster: textShape(),
  written: recordShape(textShape(), insidePath),
  sealed: recordShape(textShape(), insidePath),
  lastRuns: lastRunsShape,
});

type RecordDocument = RunRecord & { readonly version: number; readonly cluster: string };

function isRecordDocument(value: unknown): value is RecordDocument {
  return shape(value, '') === undefined;
}

/** ID of the cluster that a state belongs to. Empty before a run generated it. */
export function clusterIdOf({ generatedValues }: Pick<State, 'generatedValues'>): string {
  return generatedValues['uuid/cluster'] ?? '';
}

/** The record after a run; `generatedValues` are those of the state after it. */
export function runRecordFile(
  { written, sealed, lastRuns }: RunRecord,
  state: Pick<State, 'generatedValues'>,
): OutputFile {
  const value = {
    version,
    note: 'hashes of inputs and outputs of the last runs; do not commit this file',
    cluster: clusterIdOf(state),
    written: sortedRecord(Object.entries(written)),
    sealed: sortedRecord(Object.entries(sealed)),
    lastRuns: sortedRecord(Object.entries(lastRuns)),
  };
  return secretFile(runRecordName, `${JSON.stringify(value, null, 2)}\n`);
}

/** The record in a directory; undefined if there is none that can be used for this state. */
export function readRunRecord(dir: string, state: Pick<State, 'generatedValues'>): RunRecord | undefined {
  const read = readTrusted(dir, runRecordName);
  const value = read.kind === 'file' ? parseJson(read.bytes.toString('utf8')) : undefined;
  if (!isRecordDocument(value) || value.version !== version || value.cluster !== clusterIdOf(state))
    return undefined;
  const { written, sealed, lastRuns } = value;
  return { written, sealed, lastRuns };
}

/**
 * HMAC-SHA256 (hex) of the inputs of a run. The key is derived from the generated values: without them, the record does not help to guess
 * a secret in an input, and a run with other values never counts as the same.
 */
export function inputFingerprint(record: InputRecord, generatedValues: State['generatedValues']): string {
  const values = JSON.stringify(Object.entries(sortedRecord(Object.entries(generatedValues))));
  const key = sha256(`sno-install record key\0${values}`);
  return createHmac('sha256', Buffer.from(key, 'hex'))
    .update(JSON.stringify(Object.entries(record)))
    .digest('hex');
}
