import { byCodeUnit } from '../../core/compare.js';
import { mapRecord } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Seal } from '../../formats/age.js';
import { recipientProblems } from './named-keys.js';
import type { StateAccess } from './state-access.js';
import { stateFileName, type State, type StoredState } from './state-file.js';

/** Inputs that decide how the next state is encrypted. */
export interface SealingOptions {
  readonly access: StateAccess;
  /** `state.recipients` in sno-config.yaml, not validated. */
  readonly configured: readonly string[];
  /** States that the next one is based on, the directory's own first. */
  readonly stored: readonly StoredState[];
}

/**
 * Chooses the encryption of the next state; undefined for plain text. The order of precedence is command line, recipients in
 * sno-config.yaml, recipients of the existing state, passphrase. Omitting an option never turns an encrypted state into plain text.
 * Problems: those of `access`, state/recipient, state/no-recipients, state/recipients-configured.
 */
export async function chooseSeal({
  access,
  configured,
  stored,
}: SealingOptions): Promise<Result<Seal | undefined>> {
  const named = await access.seal();
  if (!named.ok) return named;
  if (named.value !== undefined && 'recipients' in named.value)
    return success(sealTo(named.value.recipients));
  if (named.value !== undefined)
    return configured.length > 0
      ? recipientsConfigured('the passphrase would be replaced by them in the next run')
      : named;
  if (configured.length > 0) return success(sealTo(configured));
  const kept = stored.flatMap(({ state }) => state.recipients ?? []);
  if (kept.length > 0) {
    const place = 'a recipient that the state file names';
    const problems = await recipientProblems(kept.map((text) => ({ text, place })));
    return problems.length > 0 ? failure(...problems) : success(sealTo(kept));
  }
  const passphrase = await access.passphrase();
  if (!passphrase.ok) return passphrase;
  if (!stored.some(({ sealedBy }) => sealedBy === 'recipients'))
    return success(passphrase.value === undefined ? undefined : { passphrase: passphrase.value });
  const message = 'the state file is encrypted, but no recipients are set for the new one';
  const hint = 'set `state.recipients` in sno-config.yaml, or use --recipient';
  return failure(problem('state/no-recipients', message, { at: { file: stateFileName }, hint }));
}

/** The command line contradicts `state.recipients` in sno-config.yaml. Problems: state/recipients-configured. */
export function recipientsConfigured(consequence: string): Result<never> {
  const message = `sno-config.yaml sets state.recipients: ${consequence}`;
  const hint = 'remove `state.recipients` from it first, or use `state decrypt --out FILE`';
  return failure(problem('state/recipients-configured', message, { at: { file: 'sno-config.yaml' }, hint }));
}

function sealTo(recipients: readonly string[]): Seal {
  return { recipients: [...new Set(recipients)].sort(byCodeUnit) };
}

/** Whether the state file is encrypted as wanted. */
export function isSealed(own: StoredState, seal: Seal | undefined): boolean {
  if (seal === undefined) return own.sealedBy === undefined;
  if ('passphrase' in seal) return own.sealedBy === 'passphrase';
  return own.sealedBy === 'recipients' && own.state.recipients?.join() === seal.recipients.join();
}

/** Marks all encrypted outputs to be encrypted again, after the encryption of the state has changed. */
export function outputsToReseal(sealed: State['sealed'] = {}): NonNullable<State['sealed']> {
  return mapRecord(sealed, () => '');
}

/** Makes the next run encrypt the outputs again, in every copy of the directory. */
export function withOutputsToReseal(state: State): State {
  return { ...state, mustResealOutputs: true };
}

/** Sets the recipients in the state. */
export function withRecipients(state: State, seal: Seal | undefined): State {
  const { recipients: earlier, ...rest } = state;
  if (seal !== undefined && 'recipients' in seal) return { ...rest, recipients: seal.recipients };
  return earlier === undefined ? state : rest;
}
