import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { decryptAge, isAge, type AgeKeys, type SealedBy } from '../../formats/age.js';
import { unreadableFile } from '../named-file.js';
import type { StateAccess } from './state-access.js';

/** Text of a state, and how its file was encrypted. */
export interface OpenedState {
  readonly text: string;
  readonly sealedBy?: SealedBy;
}

/**
 * Returns the text of a state file, decrypted if necessary.
 * Problems: those of `access`, state/no-identity, state/wrong-identity, dir/state-unreadable.
 */
export async function openState(
  bytes: Uint8Array,
  shownAs: string,
  access: StateAccess,
): Promise<Result<OpenedState>> {
  if (!isAge(bytes)) return success({ text: Buffer.from(bytes).toString('utf8') });
  const opened = await openSealed(bytes, { what: 'the state file', shownAs }, access);
  if (!opened.ok) return opened;
  const { bytes: plain, sealedBy } = opened.value;
  return plain === undefined
    ? damaged(shownAs)
    : success({ text: Buffer.from(plain).toString('utf8'), sealedBy });
}

/**
 * Returns the contents of a file, such as an output, decrypted if necessary.
 * Problems: those of `access`, state/no-identity, state/wrong-identity, usage/unreadable-file.
 */
export async function openFile(
  bytes: Uint8Array,
  shownAs: string,
  access: StateAccess,
): Promise<Result<Uint8Array>> {
  const opened = await openFileSealed(bytes, shownAs, access);
  return opened.ok ? success(opened.value.bytes) : opened;
}

/** As `openFile`, with the kind of encryption; `sealedBy` is absent for a plain file. */
export async function openFileSealed(
  bytes: Uint8Array,
  shownAs: string,
  access: StateAccess,
): Promise<Result<{ readonly bytes: Uint8Array; readonly sealedBy?: SealedBy }>> {
  if (!isAge(bytes)) return success({ bytes });
  const opened = await openSealed(bytes, { what: 'the file', shownAs }, access);
  if (!opened.ok) return opened;
  const { bytes: plain, sealedBy } = opened.value;
  return plain === undefined
    ? unreadableFile('the file', shownAs, 'it is encrypted, and damaged')
    : success({ bytes: plain, sealedBy });
}

interface SealedFile {
  /** Subject of messages, such as `the state file`. */
  readonly what: string;
  readonly shownAs: string;
}

/** The result has no `bytes` if the file is damaged. */
async function openSealed(
  bytes: Uint8Array,
  file: SealedFile,
  access: StateAccess,
): Promise<Result<{ readonly bytes?: Uint8Array; readonly sealedBy: SealedBy }>> {
  const keys = await access.keys();
  if (!keys.ok) return keys;
  const known = await access.passphrase();
  if (!known.ok) return known;
  const passphrases = known.value === undefined ? [] : [known.value];
  const opened = await decryptAge(bytes, { ...keys.value, passphrases });
  const isClosed = opened.sealedBy === 'passphrase' && 'fault' in opened && opened.fault === 'no-key';
  if (!isClosed || keys.value.passphrases.length > 0 || !access.ask) return outcome(opened, file, keys.value);
  const typed = await access.ask(file.shownAs);
  if (!typed.ok) return typed;
  const typedKeys = { ...keys.value, passphrases: [typed.value] };
  return outcome(await decryptAge(bytes, typedKeys), file, typedKeys);
}

function outcome(
  opened: Awaited<ReturnType<typeof decryptAge>>,
  file: SealedFile,
  keys: AgeKeys,
): Awaited<ReturnType<typeof openSealed>> {
  const { sealedBy } = opened;
  if ('bytes' in opened) return success({ bytes: opened.bytes, sealedBy });
  return opened.fault === 'damaged' ? success({ sealedBy }) : closed(file, sealedBy, keys);
}

function closed({ what, shownAs }: SealedFile, sealedBy: SealedBy, keys: AgeKeys): Result<never> {
  const at = { file: shownAs };
  const [given, option, opener] =
    sealedBy === 'passphrase'
      ? [keys.passphrases, '--passphrase-file', 'a passphrase']
      : [keys.identities, '--identity', 'an identity of one of its recipients'];
  if (given.length === 0) {
    const message = `${what} ${shownAs} is encrypted, and ${opener} is needed to open it`;
    return failure(problem('state/no-identity', message, { at, hint: `name a file with ${option} FILE` }));
  }
  const message =
    sealedBy === 'passphrase'
      ? `cannot decrypt ${what} ${shownAs} with this passphrase`
      : `cannot decrypt ${what} ${shownAs} with any identity of --identity`;
  const hint =
    sealedBy === 'passphrase'
      ? 'use the passphrase with which it was encrypted'
      : 'another recipient can add yours with `sno-install state rotate --recipient …`';
  return failure(problem('state/wrong-identity', message, { at, hint }));
}

function damaged(shownAs: string): Result<never> {
  const message = `the state file ${shownAs} is not valid: it is encrypted, and damaged`;
  return failure(
    problem('dir/state-unreadable', message, { at: { file: shownAs }, hint: 'restore it from a backup' }),
  );
}
