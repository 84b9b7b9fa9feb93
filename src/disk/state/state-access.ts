import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { AgeKeys, Seal } from '../../formats/age.js';
import {
  readKeys,
  readRecipients,
  type AccessNames,
  type KeyMeans,
  type PassphraseTerminal,
} from './named-keys.js';

/** How states are opened and to whom they are encrypted, as the command line says it: asked for where it is needed, read once. */
export interface StateAccess {
  /** A state that no file holds, whose keys are not kept in the directory as plain text. */
  readonly outside?: OutsideState;
  /** Problems: usage/unreadable-file, state/identity, state/passphrase. */
  readonly keys: () => Promise<Result<AgeKeys>>;
  /** Asks for the passphrase of a state, once for each; absent where nobody can be asked. Problems: state/passphrase. */
  readonly ask?: (shownAs: string) => Promise<Result<string>>;
  /** Undefined when the command line does not say. Problems: usage/*, state/recipient, state/passphrase. */
  readonly seal: () => Promise<Result<Seal | undefined>>;
  /** What opened a state, or could: what is encrypted by it stays so. Problems: those of `keys`. */
  readonly passphrase: () => Promise<Result<string | undefined>>;
}

/** A state that stdin or a command gives. */
export interface OutsideState {
  /** What messages call it, such as `--state -`. */
  readonly shownAs: string;
  /** Problems: usage/unreadable-file, state/command. */
  readonly read: () => Promise<Result<Uint8Array>>;
}

/** That of a command line that says nothing. */
export const noAccess: StateAccess = {
  keys: () => Promise.resolve(success({ identities: [], passphrases: [] })),
  seal: () => Promise.resolve(success(undefined)),
  passphrase: () => Promise.resolve(success(undefined)),
};

/** What an access has beside names. */
export interface AccessMeans extends KeyMeans {
  readonly outside?: OutsideState;
}

/** The access by what the command line names. */
export function accessBy(names: AccessNames, means: AccessMeans): StateAccess {
  const { outside, terminal } = means;
  const keys = once(() => readKeys(names, means));
  const asked = new Map<string, Promise<Result<string>>>();
  const typed = (shownAs: string, { open }: PassphraseTerminal): Promise<Result<string>> => {
    const answer = asked.get(shownAs) ?? open(shownAs);
    asked.set(shownAs, answer);
    return answer;
  };
  const passphrase = async (): Promise<Result<string | undefined>> => {
    const known = await keys();
    if (!known.ok) return known;
    const [first] = await Promise.all(asked.values());
    return success(known.value.passphrases[0] ?? (first?.ok === true ? first.value : undefined));
  };
  return {
    keys,
    passphrase,
    seal: once(() => namedSeal(names, means, passphrase)),
    ...(terminal && { ask: (shownAs) => typed(shownAs, terminal) }),
    ...(outside && { outside: { shownAs: outside.shownAs, read: once(outside.read) } }),
  };
}

/** A passphrase is asked for where none has opened the state. */
async function namedSeal(
  names: AccessNames,
  { stdin, terminal }: AccessMeans,
  passphrase: StateAccess['passphrase'],
): Promise<Result<Seal | undefined>> {
  const recipients = await readRecipients(names, stdin);
  if (!recipients.ok) return recipients;
  if (names.isTyped !== true)
    return success(recipients.value === undefined ? undefined : { recipients: recipients.value });
  if (recipients.value !== undefined) return eitherOr('--passphrase');
  const known = await passphrase();
  if (!known.ok) return known;
  const chosen = known.value === undefined ? await typedOn(terminal) : success(known.value);
  return chosen.ok ? success({ passphrase: chosen.value }) : chosen;
}

/** A new passphrase. Problems: state/passphrase. */
export function typedOn(terminal: PassphraseTerminal | undefined): Promise<Result<string>> {
  if (terminal) return terminal.choose();
  const message = 'a passphrase is typed on a terminal, and there is none';
  const hint = 'name a file with it by --passphrase-file, or `-` for stdin';
  return Promise.resolve(failure(problem('state/passphrase', message, { hint })));
}

/** Problems: usage/unknown-argument. */
export function eitherOr(option: string): Result<never> {
  const message = `recipients stand beside ${option}, and a file of age takes one or the other`;
  return failure(problem('usage/unknown-argument', message, { hint: 'leave one of them out' }));
}

/** A question that is asked once, however often its answer is wanted. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
