import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { decryptAge, isAge, type AgeKeys, type SealedBy } from '../../formats/age.js';
import type { StateAccess } from './state-access.js';

/** The text of a state, and how it was encrypted. */
export interface OpenedState {
  readonly text: string;
  readonly sealedBy?: SealedBy;
}

/**
 * The text of a state file, opened where it is encrypted.
 * Problems: those of `access`, state/no-identity, state/wrong-identity, dir/state-unreadable.
 */
export async function openState(
  bytes: Uint8Array,
  shownAs: string,
  access: StateAccess,
): Promise<Result<OpenedState>> {
  if (!isAge(bytes)) return success({ text: Buffer.from(bytes).toString('utf8') });
  const keys = await access.keys();
  if (!keys.ok) return keys;
  const opened = await decryptAge(bytes, keys.value);
  const isAsked = opened.sealedBy === 'passphrase' && keys.value.passphrases.length === 0;
  if (!isAsked || !access.ask) return outcome(opened, shownAs, keys.value);
  const typed = await access.ask(shownAs);
  if (!typed.ok) return typed;
  const typedKeys = { ...keys.value, passphrases: [typed.value] };
  return outcome(await decryptAge(bytes, typedKeys), shownAs, typedKeys);
}

function outcome(
  opened: Awaited<ReturnType<typeof decryptAge>>,
  shownAs: string,
  keys: AgeKeys,
): Result<OpenedState> {
  const { sealedBy } = opened;
  if ('bytes' in opened) return success({ text: Buffer.from(opened.bytes).toString('utf8'), sealedBy });
  return opened.fault === 'damaged' ? damaged(shownAs) : closed(shownAs, sealedBy, keys);
}

function closed(shownAs: string, sealedBy: SealedBy, keys: AgeKeys): Result<never> {
  const at = { file: shownAs };
  const [given, option, opener] =
    sealedBy === 'passphrase'
      ? [keys.passphrases, '--passphrase-file', 'a passphrase']
      : [keys.identities, '--identity', 'an identity of one of its recipients'];
  if (given.length === 0) {
    const message = `the state file ${shownAs} is encrypted, and ${opener} is needed to open it`;
    return failure(problem('state/no-identity', message, { at, hint: `name its file by ${option} FILE` }));
  }
  const message =
    sealedBy === 'passphrase'
      ? `the passphrase does not open the state file ${shownAs}`
      : `no identity of --identity opens the state file ${shownAs}`;
  const hint =
    sealedBy === 'passphrase'
      ? 'it was encrypted with another one'
      : 'one of its recipients can add yours: `sno-install state rotate --recipient …`';
  return failure(problem('state/wrong-identity', message, { at, hint }));
}

function damaged(shownAs: string): Result<never> {
  const message = `the state file ${shownAs} cannot be used: it is encrypted, and damaged`;
  return failure(
    problem('dir/state-unreadable', message, { at: { file: shownAs }, hint: 'restore it from a copy' }),
  );
}
