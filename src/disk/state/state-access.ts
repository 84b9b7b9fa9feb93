import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { AgeKeys, Seal } from '../../formats/age.js';
import {
  readKeys,
  readRecipients,
  type AccessNames,
  type KeySources,
  type PassphraseTerminal,
} from './named-keys.js';

/** Keys and recipients for state files, from the command line. Each is read on first use and then cached. */
export interface StateAccess {
  /** A state from stdin or a command. Its keys are never stored in the directory as plain text. */
  readonly outside?: ExternalState;
  /** Problems: usage/unreadable-file, state/identity, state/passphrase. */
  readonly keys: () => Promise<Result<AgeKeys>>;
  /** Prompts for the passphrase of a state, once per state; absent without a terminal. Problems: state/passphrase. */
  readonly ask?: (shownAs: string) => Promise<Result<string>>;
  /** Undefined if the command line names none. Problems: usage/*, state/recipient, state/passphrase. */
  readonly seal: () => Promise<Result<Seal | undefined>>;
  /** Passphrase that opened a state or is given; a state encrypted with it stays so. Problems: those of `keys`. */
  readonly passphrase: () => Promise<Result<string | undefined>>;
}

/** A state from stdin or a command. */
export interface ExternalState {
  /** Name in messages, such as `--state -`. */
  readonly shownAs: string;
  /** Problems: usage/unreadable-file, state/command. */
  readonly read: () => Promise<Result<Uint8Array>>;
}

/** For a command line without key options. */
export const noAccess: StateAccess = {
  keys: () => Promise.resolve(success({ identities: [], passphrases: [] })),
  seal: () => Promise.resolve(success(undefined)),
  passphrase: () => Promise.resolve(success(undefined)),
};

export interface AccessSources extends KeySources {
  readonly outside?: ExternalState;
}

export function createStateAccess(names: AccessNames, means: AccessSources): StateAccess {
  const { outside, terminal } = means;
  const keys = once(() => readKeys(names, means));
  const opened = new Map<string, Promise<Result<string>>>();
  const typed = (shownAs: string, { open }: PassphraseTerminal): Promise<Result<string>> => {
    const answer = opened.get(shownAs) ?? open(shownAs);
    opened.set(shownAs, answer);
    return answer;
  };
  const passphrase = async (): Promise<Result<string | undefined>> => {
    const known = await keys();
    if (!known.ok) return known;
    const [first] = await Promise.all(opened.values());
    return success(known.value.passphrases[0] ?? (first?.ok === true ? first.value : undefined));
  };
  return {
    keys,
    passphrase,
    seal: once(() => sealFromOptions(names, means, passphrase)),
    ...(terminal && { ask: (shownAs) => typed(shownAs, terminal) }),
    ...(outside && { outside: { shownAs: outside.shownAs, read: once(outside.read) } }),
  };
}

/** Prompts for a passphrase if none has opened the state. */
async function sealFromOptions(
  names: AccessNames,
  { stdin, terminal }: AccessSources,
  passphrase: StateAccess['passphrase'],
): Promise<Result<Seal | undefined>> {
  const recipients = await readRecipients(names, stdin);
  if (!recipients.ok) return recipients;
  if (names.isTyped !== true)
    return success(recipients.value === undefined ? undefined : { recipients: recipients.value });
  if (recipients.value !== undefined) return conflictingOptions('--passphrase');
  const known = await passphrase();
  if (!known.ok) return known;
  const chosen = known.value === undefined ? await promptNewPassphrase(terminal) : success(known.value);
  return chosen.ok ? success({ passphrase: chosen.value }) : chosen;
}

/** Prompts for a new passphrase. Problems: state/passphrase. */
export function promptNewPassphrase(terminal: PassphraseTerminal | undefined): Promise<Result<string>> {
  if (terminal) return terminal.choose();
  const message = 'cannot ask for a passphrase without a terminal';
  const hint = 'use --passphrase-file FILE, or `-` for stdin';
  return Promise.resolve(failure(problem('state/passphrase', message, { hint })));
}

/** Problems: usage/conflicting-options. */
export function conflictingOptions(option: string): Result<never> {
  const message = `recipients and ${option} cannot be combined`;
  return failure(problem('usage/conflicting-options', message, { hint: 'remove one of them' }));
}

/** Calls the function once and caches its promise. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
