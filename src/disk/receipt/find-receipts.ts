import { statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { receiptName } from './receipt.js';
import { unreadableFile } from '../named-file.js';
import { namesBelow } from './file-below.js';

export interface FoundReceipt {
  readonly file: string;
  /** Name of the medium that the user named in the place of its receipt. */
  readonly medium?: string;
}

/** The receipt at a path or of the medium there, or all receipts in a folder. Problems: receipt/none, usage/unreadable-file. */
export function findReceipts(path: string): Result<readonly FoundReceipt[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const ofMedium = `${path}.${receiptName}`;
    const hasOne = statSync(ofMedium, { throwIfNoEntry: false })?.isFile() === true;
    return success([hasOne ? { file: ofMedium, medium: basename(path) } : { file: path }]);
  }
  const own = join(path, receiptName);
  if (statSync(own, { throwIfNoEntry: false })?.isDirectory() === true)
    return unreadableFile(
      'the receipt',
      own,
      'it is a folder, not a file',
      'restore the file, or create it again',
    );
  const names = namesBelow(path, '.').filter(
    (name) => name === receiptName || name.endsWith(`.${receiptName}`),
  );
  if (names.length > 0) return success(names.map((name) => ({ file: join(path, name) })));
  const hint = 'name the output directory of `create`';
  return failure(problem('receipt/none', `${path} has no ${receiptName}`, { hint }));
}
