import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { decryptAge, isAge, whyNoIdentity, whyNoRecipient, type AgeKeys } from '../../formats/age.js';
import { readNamedBytes, type Stdin } from './named-bytes.js';

/** How states are opened and to whom they are encrypted, as the command line says it: asked for where it is needed, read once. */
export interface StateAccess {
  /** A state that no file holds, whose keys are not kept in the directory as plain text. */
  readonly outside?: OutsideState;
  /** Problems: usage/unreadable-file, state/identity. */
  readonly keys: () => Promise<Result<AgeKeys>>;
  /** Undefined when the command line names none. Problems: usage/unreadable-file, state/recipient. */
  readonly recipients: () => Promise<Result<readonly string[] | undefined>>;
}

/** A state that stdin or a command gives. */
export interface OutsideState {
  /** What messages call it, such as `--state -`. */
  readonly shownAs: string;
  /** Problems: usage/unreadable-file, state/command. */
  readonly read: () => Promise<Result<Uint8Array>>;
}

/** What the command line names: files, or `-` for stdin. */
export interface AccessNames {
  readonly identityFiles: readonly string[];
  readonly passphraseFile?: string;
  readonly recipients: readonly string[];
  readonly recipientsFiles: readonly string[];
}

/** That of a command line that says nothing. */
export const noAccess: StateAccess = {
  keys: () => Promise.resolve(success({ identities: [], passphrases: [] })),
  recipients: () => Promise.resolve(success(undefined)),
};

/** The access by what the command line names. */
export function accessBy(names: AccessNames, stdin: Stdin, outside?: OutsideState): StateAccess {
  return {
    keys: once(() => readKeys(names, stdin)),
    recipients: once(() => readRecipients(names, stdin)),
    ...(outside && { outside: { shownAs: outside.shownAs, read: once(outside.read) } }),
  };
}

/** A question that is asked once, however often its answer is wanted. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}

async function readKeys(
  { identityFiles, passphraseFile }: AccessNames,
  stdin: Stdin,
): Promise<Result<AgeKeys>> {
  const passphrase = readPassphrase('--passphrase-file', passphraseFile, stdin);
  const passphrases = passphrase.ok && passphrase.value !== undefined ? [passphrase.value] : [];
  const files = await Promise.all(identityFiles.map((path) => readIdentities(path, passphrases, stdin)));
  const problems = [passphrase, ...files].flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  return success({ identities: files.flatMap((file) => (file.ok ? file.value : [])), passphrases });
}

/** A passphrase in a file: its text without the end of its last line. Problems: usage/unreadable-file, state/identity. */
export function readPassphrase(
  option: string,
  path: string | undefined,
  stdin: Stdin,
): Result<string | undefined> {
  if (path === undefined) return success(undefined);
  const read = readNamedBytes(option, path, stdin);
  if (!read.ok) return read;
  const passphrase = Buffer.from(read.value)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (passphrase !== '' && !passphrase.includes('\n')) return success(passphrase);
  const what = passphrase === '' ? 'is empty' : 'has several lines';
  return failure(problem('state/identity', `${option} ${path} ${what}, expected a passphrase`));
}

/** Identities as `age-keygen` writes them, a line each; such a file may itself be encrypted with the passphrase. */
async function readIdentities(
  path: string,
  passphrases: readonly string[],
  stdin: Stdin,
): Promise<Result<readonly string[]>> {
  const read = readNamedBytes('--identity', path, stdin);
  if (!read.ok) return read;
  let bytes = read.value;
  if (isAge(bytes)) {
    const opened = await decryptAge(bytes, { identities: [], passphrases });
    if ('fault' in opened) return encryptedIdentities(path, passphrases.length > 0);
    bytes = opened.bytes;
  }
  const lines = linesOf(bytes);
  if (lines.length === 0) return badIdentity(`--identity ${path} holds no identity`);
  const reasons = await Promise.all(lines.map(whyNoIdentity));
  const at = reasons.findIndex((reason) => reason !== undefined);
  return at === -1
    ? success(lines)
    : badIdentity(`entry ${at + 1} of --identity ${path} ${reasons[at] ?? ''}`);
}

function encryptedIdentities(path: string, hasPassphrase: boolean): Result<never> {
  const what = hasPassphrase ? 'is encrypted, and the passphrase does not open it' : 'is encrypted';
  const hint = hasPassphrase ? undefined : 'name a file with its passphrase by --passphrase-file';
  return badIdentity(`--identity ${path} ${what}`, hint);
}

function badIdentity(message: string, hint = 'name the file that age-keygen wrote'): Result<never> {
  return failure(problem('state/identity', message, { hint }));
}

async function readRecipients(
  { recipients, recipientsFiles }: AccessNames,
  stdin: Stdin,
): Promise<Result<readonly string[] | undefined>> {
  if (recipients.length === 0 && recipientsFiles.length === 0) return success(undefined);
  const named = recipients.map((text, index) => ({ text, place: `--recipient ${index + 1}` }));
  const files = recipientsFiles.map((path) => {
    const read = readNamedBytes('--recipients-file', path, stdin);
    return read.ok ? success(entriesOf(path, read.value)) : read;
  });
  const all = [...named, ...files.flatMap((file) => (file.ok ? file.value : []))];
  const problems = [...files.flatMap(problemsOf), ...(await recipientProblems(all))];
  return problems.length > 0 ? failure(...problems) : success(all.map(({ text }) => text));
}

function entriesOf(path: string, bytes: Uint8Array): readonly Named[] {
  const place = (index: number): string => `entry ${index + 1} of --recipients-file ${path}`;
  const lines = linesOf(bytes);
  return lines.length === 0
    ? [{ text: '', place: place(0) }]
    : lines.map((text, index) => ({ text, place: place(index) }));
}

interface Named {
  readonly text: string;
  /** What messages call it: never the text, which may be an identity. */
  readonly place: string;
}

/** What is wrong with recipients. Problems: state/recipient. */
export async function recipientProblems(recipients: readonly Named[]): Promise<readonly Problem[]> {
  const reasons = await Promise.all(recipients.map(({ text }) => whyNoRecipient(text)));
  return recipients.flatMap(({ place }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [problem('state/recipient', `${place} ${reason}`)];
  });
}

/** Lines without comments and blank ones. Source: age(1), -i and -R */
function linesOf(bytes: Uint8Array): readonly string[] {
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
