import { resolve } from 'node:path';

import { replaceFile } from '../../disk/replace-file.js';
import { readTrustedFile } from '../../disk/trust.js';
import { countShape, recordShape } from '../../disk/state/state-shape.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { checkedAs } from '../../formats/apply-schema.js';
import { parseJson } from '../../formats/json.js';

/** Used one-download tokens: token generation by site name. Contains no secret. */
export type UsedTokens = Readonly<Record<string, number>>;

/** The file of used tokens, next to the token file. The server rewrites only this file, so it needs no recipients. */
export function usedTokensPath(tokensPath: string): string {
  return `${tokensPath}.used`;
}

/** Returns an empty record if the file does not exist. Problems: media/serve-state. */
export function readUsedTokens(path: string): Result<UsedTokens> {
  const read = readTrustedFile(path);
  if (read.kind === 'absent') return success({});
  if (read.kind === 'unreadable') return unusable(path, `cannot read ${path}: ${read.reason}`);
  const value = parseJson(read.bytes.toString('utf8'));
  if (recordShape(countShape)(value, '') === undefined) return success(checkedAs<UsedTokens>(value));
  return unusable(path, `${path} is not a list of used tokens`);
}

function unusable(path: string, message: string): Result<never> {
  const hint = 'restore it from a backup; without it, used tokens are valid again';
  return failure(problem('media/serve-state', message, { at: { file: resolve(path) }, hint }));
}

/** Problems: dir/not-writable. */
export function writeUsedTokens(path: string, used: UsedTokens): Result<void> {
  return replaceFile(path, `${JSON.stringify(used, null, 2)}\n`);
}
