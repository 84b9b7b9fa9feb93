import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readReceipt, type ReadReceipt } from '../../src/disk/receipt/read-receipt.js';
import type { Problem } from '../../src/core/problem.js';
import { sha256 } from '../../src/formats/sha256.js';
import { receiptName, serializeReceipt, type Receipt } from '../../src/disk/receipt/receipt.js';
import { showProblem } from './show-problem.js';
import { soundReceipt } from './sound-receipt.js';
import { expectOk } from './sound-value.js';

/** Writes and reads a receipt. Problems show only its file name. */
export function writtenReceipt(folder: string, parts: Partial<Receipt>): ReadReceipt {
  const file = join(folder, receiptName);
  writeFileSync(file, serializeReceipt({ ...soundReceipt, ...parts }));
  return { ...expectOk(readReceipt(file)), file: receiptName };
}

/** The position of a text's first occurrence, in the format of problems: `receipt.json:LINE:COL`. */
export function placeOfText({ bytes }: ReadReceipt, words: string): string {
  const lines = bytes.toString('utf8').split('\n');
  const line = lines.findIndex((each) => each.includes(`"${words}"`));
  return `${receiptName}:${line + 1}:${(lines[line] ?? '').indexOf(`"${words}"`) + 1}`;
}

/** The entry of a file in a receipt. */
export function listedFile(path: string, contents: string | Uint8Array) {
  return { path, bytes: Buffer.from(contents).length, sha256: sha256(contents) };
}

/** One line per problem, followed by its hint. */
export function withHints(problems: readonly Problem[]): readonly string[] {
  return problems.map((each) => [showProblem(each), each.hint ?? ''].join(' | '));
}
