import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { decryptAge, isAge, whyNoIdentity, whyNoRecipient, type AgeKeys } from '../../formats/age.js';
import type { Stdin } from '../outside/standard-input.js';
import { readNamedBytes } from './named-bytes.js';

/** What the command line names: files, or `-` for stdin. */
export interface AccessNames {
  readonly identityFiles: readonly string[];
  readonly passphraseFile?: string;
  /** Whether a passphrase is typed to encrypt by. */
  readonly isTyped?: boolean;
  readonly recipients: readonly string[];
  readonly recipientsFiles: readonly string[];
}

/** Somebody at a terminal. Problems: state/passphrase. */
export interface PassphraseTerminal {
  /** Types the passphrase of something that is encrypted. */
  readonly open: (shownAs: string) => Promise<Result<string>>;
  /** Types a new one, twice. */
  readonly choose: () => Promise<Result<string>>;
}

/** Where what is named comes from. */
export interface KeyMeans {
  readonly stdin: Stdin;
  readonly terminal?: PassphraseTerminal;
}

/** What opens encrypted files, as the command line names it. Problems: usage/unreadable-file, state/identity, state/passphrase. */
export async function readKeys(
  { identityFiles, passphraseFile }: AccessNames,
  means: KeyMeans,
): Promise<Result<AgeKeys>> {
  const passphrase = readPassphrase('--passphrase-file', passphraseFile, means.stdin);
  const files: Result<readonly string[]>[] = [];
  // One after the other: a terminal has one question at a time.
  for (const path of identityFiles) files.push(await readIdentities(path, passphrase, means));
  const problems = [passphrase, ...files].flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  const passphrases = passphrase.ok && passphrase.value !== undefined ? [passphrase.value] : [];
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
  passphrase: Result<string | undefined>,
  { stdin, terminal }: KeyMeans,
): Promise<Result<readonly string[]>> {
  const read = readNamedBytes('--identity', path, stdin);
  if (!read.ok) return read;
  let bytes = read.value;
  if (isAge(bytes)) {
    // What is wrong with the passphrase is told already: nobody is asked for another.
    if (!passphrase.ok) return failure();
    const { value } = passphrase;
    const known = value === undefined ? await terminal?.open(`--identity ${path}`) : success(value);
    if (known?.ok === false) return known;
    const passphrases = known === undefined ? [] : [known.value];
    const opened = await decryptAge(bytes, { identities: [], passphrases });
    if ('fault' in opened) return encryptedIdentities(path, known !== undefined);
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
  return hasPassphrase
    ? badIdentity(
        `--identity ${path} is encrypted, and the passphrase does not open it`,
        'it was encrypted with another one, or is damaged',
      )
    : badIdentity(`--identity ${path} is encrypted`, 'name a file with its passphrase by --passphrase-file');
}

function badIdentity(message: string, hint = 'name the file that age-keygen wrote'): Result<never> {
  return failure(problem('state/identity', message, { hint }));
}

/** To whom the command line has it encrypted; undefined when it does not say. Problems: usage/unreadable-file, state/recipient. */
export async function readRecipients(
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
