import { mapRecord, omitKeys } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { sha256 } from '../../formats/sha256.js';
import type { Seal } from '../../formats/age.js';
import { isTimeBound, longLivedValues } from './value-labels.js';
import { stateFileName, type State, type StoredState } from './state-file.js';

/** Part of a state that is kept in the directory: all of it, or only a record without secrets, which are kept elsewhere. */
export type StateStorage = 'whole' | 'record';

/**
 * Chooses the part of the state to keep in the directory. A state from stdin or a command is never stored there as plain text.
 * Problems: state/plain-beside.
 */
export function stateStorage(
  own: StoredState | undefined,
  { isOutside, seal }: { readonly isOutside: boolean; readonly seal: Seal | undefined },
): Result<StateStorage> {
  if (!isOutside || seal !== undefined) return success('whole');
  if (Object.keys(own?.state.generatedValues ?? {}).every(isTimeBound)) return success('record');
  const message = `${stateFileName} contains unencrypted keys in addition to the named state`;
  const hint = 'delete it if the other state has the same keys, encrypt it, or do not name the other state';
  return failure(problem('state/plain-beside', message, { at: { file: stateFileName }, hint }));
}

/** The state as stored. A record contains hashes of the lasting values, to detect a different state later. */
export function storedState(state: State, keeping: StateStorage): State {
  const { externalValueHashes: earlier, ...whole } = state;
  if (keeping === 'whole') return earlier === undefined ? state : whole;
  const lasting = longLivedValues(state.generatedValues);
  return {
    ...whole,
    generatedValues: omitKeys(state.generatedValues, Object.keys(lasting)),
    externalValueHashes: mapRecord(lasting, sha256),
  };
}

/** First label whose value in `generatedValues` conflicts with the directory's state. */
export function differingLabel(own: State, generatedValues: State['generatedValues']): string | undefined {
  const isOther = (label: string, isSame: (value: string) => boolean): boolean => {
    const value = generatedValues[label];
    return !isTimeBound(label) && value !== undefined && !isSame(value);
  };
  return (
    Object.entries(own.generatedValues).find(([label, kept]) =>
      isOther(label, (value) => value === kept),
    )?.[0] ??
    Object.entries(own.externalValueHashes ?? {}).find(([label, hash]) =>
      isOther(label, (value) => sha256(value) === hash),
    )?.[0]
  );
}
