import { problem, type Problem, type Place } from '../../core/problem.js';
import { maskedArgument } from '../../core/quoted.js';
import { sha256 } from '../../formats/sha256.js';
import { isAge } from '../../formats/age.js';
import { isYamlName } from '../../formats/yaml/yaml.js';
import { keyedHash } from './keyed-hash.js';
import type { ReceiptInput } from './receipt.js';
import { maxFileBytes } from '../regular-file.js';
import { oddFile } from './compare-outputs.js';
import { bytesBelow, bytesOf, fileBelow, hashOf, namesBelow } from './file-below.js';
import type { DecryptedFiles } from './decrypted-files.js';
import type { ReadReceipt } from './read-receipt.js';

/** Result of comparing one input. */
type Verdict =
  | { readonly kind: 'same' | 'gone' }
  /** Description of the change, as the end of a sentence. */
  | { readonly kind: 'changed'; readonly how: string }
  | { readonly kind: 'odd' | 'not-compared'; readonly reason: string };

interface ComparedInput {
  readonly path: string;
  readonly verdict: Verdict;
  readonly at: Place;
}

/**
 * Reports inputs in a folder that differ from the receipt. If none of them exists, the outputs were moved elsewhere and nothing is
 * compared. Problems: receipt/input-changed, receipt/odd-file. Warnings: receipt/input-not-compared.
 */
export function inputProblems(
  folder: string,
  read: ReadReceipt,
  opened: DecryptedFiles = new Map(),
): readonly Problem[] {
  const { inputs, inputFolders } = read.receipt;
  const judged = inputs.map((input, index): ComparedInput => {
    const at = { file: read.file, ...read.placeOf(['inputs', index, 'path']) };
    return { path: maskedArgument(input.path), verdict: compareInput(folder, input, { read, opened }), at };
  });
  const present = judged.filter((_, index) => !isAbsent(inputs[index]));
  if (present.length > 0 && present.every(({ verdict }) => verdict.kind === 'gone'))
    return [
      notCompared(
        read,
        present.map(({ path }) => path),
      ),
    ];
  const appeared = inputFolders.flatMap((inner) => newInputsIn(folder, inner, read));
  return [...judged.flatMap(problemsOfInput), ...appeared];
}

function isAbsent(input: ReceiptInput | undefined): boolean {
  return input !== undefined && 'absent' in input;
}

function compareInput(
  folder: string,
  input: ReceiptInput,
  by: { readonly read: ReadReceipt; readonly opened: DecryptedFiles },
): Verdict {
  const found = fileBelow(folder, input.path);
  if ('absent' in input)
    return found.kind === 'absent' ? { kind: 'same' } : { kind: 'changed', how: 'it did not exist' };
  if (found.kind === 'absent') return { kind: 'gone' };
  if (found.kind === 'odd') return { kind: 'odd', reason: found.reason };
  if (found.stats.size !== input.bytes) return { kind: 'changed', how: 'its size differs' };
  if (input.bytes > maxFileBytes) return { kind: 'odd', reason: `it is larger than ${maxFileBytes} bytes` };
  const hash = 'sha256' in input ? hashOf(found) : keyedHashOf(folder, { input, found, ...by });
  if ('reason' in hash) return { kind: 'not-compared', reason: hash.reason };
  const isSame = hash.sha256 === ('sha256' in input ? input.sha256 : input.hmacSha256);
  return isSame ? { kind: 'same' } : { kind: 'changed', how: 'its contents differ' };
}

interface Keyed {
  readonly input: Extract<ReceiptInput, { readonly keyedBy: string }>;
  readonly found: { readonly real: string };
  readonly read: ReadReceipt;
  readonly opened: DecryptedFiles;
}

/** Keyed hash of an input. The key is derived from an output, which must be unchanged. */
function keyedHashOf(
  folder: string,
  { input, found, read, opened }: Keyed,
): { readonly sha256: string } | { readonly reason: string } {
  const { keyedBy } = input;
  const key = bytesBelow(folder, keyedBy);
  const { outputs, medium } = read.receipt;
  const listed = [...outputs, ...(medium?.keyHolder ? [medium.keyHolder] : [])].find(
    ({ path }) => path === keyedBy,
  );
  if (key === undefined || listed === undefined || sha256(key) !== listed.sha256)
    return { reason: `its hash depends on ${maskedArgument(keyedBy)}, which is missing or has changed` };
  const plain = isAge(key) ? opened.get(keyedBy) : key;
  if (plain === undefined)
    return { reason: `its hash depends on ${maskedArgument(keyedBy)}, which is encrypted` };
  const bytes = bytesOf(found);
  return bytes === undefined ? { reason: 'it cannot be read' } : { sha256: keyedHash(plain, bytes) };
}

function problemsOfInput({ path, verdict, at }: ComparedInput): readonly Problem[] {
  switch (verdict.kind) {
    case 'same':
      return [];
    case 'gone':
      return [changed(`the input ${path} no longer exists`, at)];
    case 'changed':
      return [changed(`the input ${path} has changed: ${verdict.how}`, at)];
    case 'odd': {
      const { code, message } = oddFile(path, verdict.reason);
      return [problem(code, message, { at })];
    }
    case 'not-compared':
      return [
        problem('receipt/input-not-compared', `the input ${path} is not compared: ${verdict.reason}`, { at }),
      ];
  }
}

function changed(message: string, at: Place): Problem {
  const hint = 'run `create` again, or undo the change';
  return problem('receipt/input-changed', message, { at, hint });
}

function notCompared({ file }: ReadReceipt, paths: readonly string[]): Problem {
  const message = `inputs were not compared because none exists: ${listed(paths)}`;
  return problem('receipt/input-not-compared', message, { at: { file } });
}

function newInputsIn(
  folder: string,
  inner: string,
  { file, receipt, placeOf }: ReadReceipt,
): readonly Problem[] {
  const known = new Set(receipt.inputs.map(({ path }) => path));
  const paths = namesBelow(folder, inner)
    .filter(isYamlName)
    .map((name) => `${inner}/${name}`)
    .filter((path) => !known.has(path));
  if (paths.length === 0) return [];
  const shown = listed(paths.map(maskedArgument));
  const isOne = paths.length === 1;
  const message = `${shown} ${isOne ? 'is' : 'are'} there since, and ${isOne ? 'was' : 'were'} no input`;
  return [changed(message, { file, ...placeOf(['inputFolders', receipt.inputFolders.indexOf(inner)]) })];
}

const maxNamed = 3;

function listed(paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return `${paths.slice(0, maxNamed).join(', ')}${more}`;
}
