import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { OutputFile } from '../core/output-file.js';
import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { syncFolder, writeDurably } from './durable.js';
import { reasonOf } from './file-system-problem.js';

/** What a commit does to one path: a new content from the staging folder, or its removal. */
interface Step {
  readonly path: string;
  /** Name in the staging folder; absent when the path is to be removed. */
  readonly staged?: string;
}

export interface Change {
  readonly writes: readonly OutputFile[];
  /** Paths to remove. */
  readonly removals: readonly string[];
}

const stagingFolder = '.sno-install-pending';
const planName = 'plan.json';

/**
 * Brings all the changes into the directory or none. Everything is staged first; the rename of the plan is the moment
 * of decision: a run that dies before it has changed nothing, one that dies after it is completed by `recover`.
 * Problems: dir/not-writable.
 */
export function commit(dir: string, change: Change): Result<void> {
  if (change.writes.length === 0 && change.removals.length === 0) return success(undefined);
  const staging = join(dir, stagingFolder);
  try {
    const steps = stage(staging, change);
    apply(dir, steps);
    return success(undefined);
  } catch (error) {
    if (!existsSync(join(staging, planName))) rmSync(staging, { recursive: true, force: true });
    const message = `cannot write in ${dir}: ${reasonOf(error)}`;
    return failure(
      problem('dir/not-writable', message, { hint: 'make room or give write permission, and run it again' }),
    );
  }
}

function stage(staging: string, change: Change): readonly Step[] {
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  const steps: readonly Step[] = [
    ...change.writes.map((file, index) => ({ path: file.path, staged: String(index) })),
    ...change.removals.map((path) => ({ path })),
  ];
  change.writes.forEach((file, index) => {
    writeDurably(join(staging, String(index)), file.contents, file.mode);
  });
  writeDurably(join(staging, `${planName}.draft`), JSON.stringify(steps), 0o600);
  syncFolder(staging);
  renameSync(join(staging, `${planName}.draft`), join(staging, planName));
  syncFolder(staging);
  return steps;
}

/**
 * Completes the commit of a run that died in the middle of it, or clears away what it had staged.
 * Problems: dir/not-writable.
 */
export function recover(dir: string): Result<void> {
  const staging = join(dir, stagingFolder);
  const plan = join(staging, planName);
  try {
    if (existsSync(plan)) apply(dir, readPlan(plan));
    else rmSync(staging, { recursive: true, force: true });
    return success(undefined);
  } catch (error) {
    const message = `cannot complete what an earlier run began in ${dir}: ${reasonOf(error)}`;
    return failure(
      problem('dir/not-writable', message, { hint: 'make room or give write permission, and run it again' }),
    );
  }
}

/** Safe to repeat: a step whose staged file is gone has been taken already. */
function apply(dir: string, steps: readonly Step[]): void {
  const staging = join(dir, stagingFolder);
  for (const step of steps) {
    const target = join(dir, step.path);
    if (step.staged === undefined) {
      rmSync(target, { force: true });
      continue;
    }
    const source = join(staging, step.staged);
    if (!existsSync(source)) continue;
    // Folders we make may hold secrets, so only their owner enters them.
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(source, target);
  }
  for (const folder of new Set(steps.map((step) => dirname(join(dir, step.path))))) syncFolder(folder);
  rmSync(join(staging, planName));
  rmSync(staging, { recursive: true, force: true });
}

function readPlan(path: string): readonly Step[] {
  const steps: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(steps) || !steps.every(isStep)) throw new Error(`internal error: ${path} is not a plan`);
  return steps;
}

function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string')
    return false;
  return !('staged' in value) || typeof value.staged === 'string';
}
