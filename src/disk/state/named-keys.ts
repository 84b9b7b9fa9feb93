import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { decryptAge, isAge, identityFault, recipientFault, type AgeKeys } from '../../formats/age.js';
import type { Stdin } from '../external-files/standard-input.js';
import { readNamedBytes } from './named-bytes.js';

/** Key files from the command line, or `-` for stdin. */
export interface AccessNames {
  readonly identityFiles: readonly string[];
  readonly passphraseFile?: string;
  /** Whether the user types a passphrase for encryption. */
  readonly isTyped?: boolean;
  readonly recipients: readonly string[];
  readonly recipientsFiles: readonly string[];
}

/** Passphrase prompts. Problems: state/passphrase. */
export interface PassphraseTerminal {
  /** Prompts for the passphrase of an encrypted file. */
  readonly open: (shownAs: string) => Promise<Result<string>>;
  /** Prompts for a new passphrase, twice. */
  readonly choose: () => Promise<Result<string>>;
}

/** Sources of keys and passphrases. */
export interface KeySources {
  readonly stdin: Stdin;
  readonly terminal?: PassphraseTerminal;
}

/** Reads identities and passphrases named on the command line. Problems: usage/unreadable-file, state/identity, state/passphrase. */
export async function readKeys(
  { identityFiles, passphraseFile }: AccessNames,
  means: KeySources,
): Promise<Result<AgeKeys>> {
  const passphrase = readPassphrase('--passphrase-file', passphraseFile, means.stdin);
  const files: Result<readonly string[]>[] = [];
  // In sequence: the terminal shows one prompt at a time.
  for (const path of identityFiles) files.push(await readIdentities(path, passphrase, means));
  const problems = [passphrase, ...files].flatMap(problemsOf);
  if (problems.length > 0) return failure(...problems);
  const passphrases = passphrase.ok && passphrase.value !== undefined ? [passphrase.value] : [];
  return success({ identities: files.flatMap((file) => (file.ok ? file.value : [])), passphrases });
}

/** Reads a passphrase from a file, without the final line end. Problems: usage/unreadable-file, state/identity. */
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

/** Reads identities in the format of `age-keygen`, one per line. The file itself may be encrypted with the passphrase. */
async function readIdentities(
  path: string,
  passphrase: Result<string | undefined>,
  { stdin, terminal }: KeySources,
): Promise<Result<readonly string[]>> {
  const read = readNamedBytes('--identity', path, stdin);
  if (!read.ok) return read;
  let bytes = read.value;
  if (isAge(bytes)) {
    // The problem of the passphrase is reported already; do not prompt for another one.
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
  if (lines.length === 0) return badIdentity(`--identity ${path} contains no identity`);
  const reasons = await Promise.all(lines.map(identityFault));
  const at = reasons.findIndex((reason) => reason !== undefined);
  return at === -1
    ? success(lines)
    : badIdentity(`entry ${at + 1} of --identity ${path} ${reasons[at] ?? ''}`);
}

function encryptedIdentities(path: string, hasPassphrase: boolean): Result<never> {
  return hasPassphrase
    ? badIdentity(
        `--identity ${path} cannot be decrypted with this passphrase`,
        'the passphrase is wrong, or the file is damaged',
      )
    : badIdentity(
        `--identity ${path} is encrypted`,
        'name a file that contains the passphrase with --passphrase-file',
      );
}

function badIdentity(message: string, hint = 'name a file written by age-keygen'): Result<never> {
  return failure(problem('state/identity', message, { hint }));
}

/** Recipients from the command line; undefined without these options. Problems: usage/unreadable-file, state/recipient. */
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
  /** Name in messages. Never the text, which may be an identity. */
  readonly place: string;
}

/** Problems: state/recipient. */
export async function recipientProblems(recipients: readonly Named[]): Promise<readonly Problem[]> {
  const reasons = await Promise.all(recipients.map(({ text }) => recipientFault(text)));
  return recipients.flatMap(({ place }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [problem('state/recipient', `${place} ${reason}`)];
  });
}

/** Lines except comments and blank ones. Source: age(1), -i and -R */
function linesOf(bytes: Uint8Array): readonly string[] {
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}
