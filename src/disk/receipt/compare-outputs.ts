import { posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { maskedArgument } from '../../core/quoted.js';
import { modeText, type ReceiptOutput } from './receipt.js';
import { fileBelow, hashOf, namesBelow } from './file-below.js';
import { plainName } from '../state/sealed-outputs.js';
import type { ReadReceipt } from './read-receipt.js';

/** Larger than any output (a live ISO with a payload has about 25 GiB), so that checking a wrong file does not take hours. */
const maxOutputBytes = 128 * 1024 ** 3;

/**
 * Reports outputs in a folder that differ from the receipt, and files next to them that the receipt does not list.
 * Problems: receipt/output-missing, receipt/output-changed, receipt/odd-file. Warnings: receipt/exposed, receipt/not-listed.
 */
export function outputProblems(folder: string, read: ReadReceipt): readonly Problem[] {
  const { outputs } = read.receipt;
  const found = outputs.flatMap((output, index) => {
    const at = { file: read.file, ...read.placeOf(['outputs', index, 'path']) };
    return outputProblem(folder, output).map(({ code, message, hint }) =>
      problem(code, message, { at, hint }),
    );
  });
  return [...found, ...unlisted(folder, read)];
}

type Found = Pick<Problem, 'code' | 'message' | 'hint'>;

function outputProblem(folder: string, { path, bytes, mode, sha256 }: ReceiptOutput): readonly Found[] {
  const shown = maskedArgument(path);
  const found = fileBelow(folder, path);
  if (found.kind === 'absent')
    return [{ code: 'receipt/output-missing', message: `the output ${shown} is missing`, hint: makeAgain }];
  if (found.kind === 'odd') return [oddFile(shown, found.reason)];
  if (found.stats.size !== bytes)
    return [changed(shown, `it has ${found.stats.size} bytes instead of ${bytes}`)];
  if (bytes > maxOutputBytes) return [oddFile(shown, `it is larger than ${maxOutputBytes} bytes`)];
  const hash = hashOf(found);
  if ('reason' in hash) return [oddFile(shown, hash.reason)];
  if (hash.sha256 !== sha256) return [changed(shown, 'its contents differ')];
  const open = found.stats.mode & 0o777 & ~Number.parseInt(mode, 8);
  return open === 0 ? [] : [exposed(shown, { mode, now: modeText(found.stats.mode & 0o7777) })];
}

const makeAgain = 'run `create` with the same inputs and state to write it again';

function changed(path: string, how: string): Found {
  const message = `the output ${path} was changed after it was created: ${how}`;
  return { code: 'receipt/output-changed', message, hint: `move it away; ${makeAgain}` };
}

/** A path that is never read, such as a link or a folder. */
export function oddFile(path: string, reason: string): Found {
  return { code: 'receipt/odd-file', message: `${path} is not compared: ${reason}` };
}

function exposed(path: string, { mode, now }: { readonly mode: string; readonly now: string }): Found {
  const message = `the output ${path} has mode ${now}instead of ${mode}`;
  return { code: 'receipt/exposed', message, hint: `chmod ${mode} ${path}` };
}

/** Files that could be mistaken for outputs: Ignition configs next to ours, and files in subfolders with outputs. */
function unlisted(folder: string, { file, receipt }: ReadReceipt): readonly Problem[] {
  const listed = new Set(receipt.outputs.map(({ path }) => path));
  const folders = [...new Set([...listed].map((path) => posix.dirname(path)))];
  const hasConfigs = [...listed].some(isConfig);
  return folders
    .flatMap((inner) => namesBelow(folder, inner).map((name) => posix.join(inner, name)))
    .filter((path) => !listed.has(path))
    .filter((path) => path.includes('/') || (isConfig(path) && hasConfigs))
    .map((path) => notListed(file, maskedArgument(path)));
}

function isConfig(path: string): boolean {
  return plainName(path).endsWith('.ign');
}

function notListed(file: string, path: string): Problem {
  const message = `${path} is in the output directory but not listed in the receipt`;
  return problem('receipt/not-listed', message, { at: { file }, hint: 'delete it if it is not needed' });
}
