import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { requireInside } from './record-file.js';
import { reasonOf } from './system-error.js';

/** Moves a folder to `other` in one step. A missing folder counts as moved. Both are below `within`. Problems: dir/not-writable. */
export function setAside(folder: string, other: string, within: string): Result<void> {
  const inside = requireInside(dirname(other), within);
  if (!inside.ok) return inside;
  try {
    mkdirSync(dirname(other), { recursive: true, mode: 0o700 });
    if (existsSync(folder)) renameSync(folder, other);
    return success(undefined);
  } catch (error) {
    return notMoved(folder, other, error);
  }
}

/** Moves the folder back and deletes the one in its place. Problems: dir/not-writable. */
export function putBack(folder: string, other: string): Result<void> {
  try {
    if (!existsSync(other)) return success(undefined);
    rmSync(folder, { recursive: true, force: true });
    renameSync(other, folder);
    return success(undefined);
  } catch (error) {
    return notMoved(other, folder, error);
  }
}

function notMoved(from: string, to: string, error: unknown): Result<never> {
  const hint = 'grant write permission, and run the command again';
  return failure(problem('dir/not-writable', `cannot move ${from} to ${to}: ${reasonOf(error)}`, { hint }));
}
