import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { OutputFile } from '../core/output-file.js';
import { problem, type Problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { syncFolder, writeDurably } from './write-durably.js';
import { removeFile, renameOver } from './file-systems/rename-over.js';
import { reasonOf } from './system-error.js';
import { holdFolder, type HeldFolder } from './held-folder.js';
import { findFolder } from './inside-path.js';
import { planName, readPlan, stagingFolder, type Step } from './pending-plan.js';
import { probeTargets } from './probe.js';

/** Changes of one commit; paths are relative to the directory. */
export interface Change {
  readonly writes: readonly OutputFile[];
  readonly removals: readonly string[];
}

/**
 * Applies all changes to the directory, or none. Probes every target and stages every file first, then renames the plan into
 * place. A run that dies before this rename has changed nothing; `recover` completes one that dies after it.
 * Never writes or removes anything outside the directory.
 * Problems: dir/not-writable, dir/unfinished.
 */
export function commit(dir: string, change: Change): Result<void> {
  if (change.writes.length === 0 && change.removals.length === 0) return success(undefined);
  const steps: readonly Step[] = [
    ...change.writes.map((file, index) => ({ path: file.path, staged: String(index) })),
    ...change.removals.map((path) => ({ path })),
  ];
  try {
    const root = realpathSync(dir);
    const found = probe(root, steps);
    if (found.length > 0) return failure(...found);
    stage(root, steps, change.writes);
    return applyPlan(root, steps);
  } catch (error) {
    removeStaging(join(dir, stagingFolder));
    return notWritable(`cannot write in ${dir}: ${reasonOf(error)}`);
  }
}

/**
 * Completes the interrupted commit of an earlier run, or removes its staged files if the plan was not in place.
 * Rejects a plan that other users could have written. Problems: dir/untrusted, dir/unfinished.
 */
export function recover(dir: string): Result<void> {
  try {
    const root = realpathSync(dir);
    const plan = readPlan(root);
    if (!plan.ok) return plan;
    if (plan.value === undefined) {
      removeStaging(join(root, stagingFolder));
      return success(undefined);
    }
    const found = probe(root, plan.value);
    return found.length > 0 ? failure(...found.map(blocked)) : applyPlan(root, plan.value);
  } catch (error) {
    return failure(blocked({ message: reasonOf(error) }));
  }
}

function probe(root: string, steps: readonly Step[]): readonly Problem[] {
  return probeTargets(
    root,
    steps.map(({ path }) => path),
  );
}

function blocked({ message, at }: Pick<Problem, 'message' | 'at'>): Problem {
  const text = `an earlier run was interrupted and its outputs are incomplete: ${message}`;
  return problem('dir/unfinished', text, { at, hint: completedFirst });
}

const completedFirst = 'fix this and run the command again; it writes the missing files first';

function stage(root: string, steps: readonly Step[], writes: readonly OutputFile[]): void {
  rmSync(join(root, stagingFolder), { recursive: true, force: true });
  const staging = holdFolder(root, [stagingFolder], { make: true });
  try {
    writes.forEach((file, index) => {
      writeDurably(staging.at(String(index)), file.contents, file.mode);
    });
    writeDurably(staging.at(`${planName}.draft`), JSON.stringify(steps), 0o600);
    syncFolder(staging.at('.'));
    renameOver(staging.at(`${planName}.draft`), staging.at(planName));
    syncFolder(staging.at('.'));
  } finally {
    staging.close();
  }
}

/** Takes every step of a plan that is in place. If a step fails, the next run continues from there. */
function applyPlan(root: string, steps: readonly Step[]): Result<void> {
  const done: string[] = [];
  try {
    applySteps(root, steps, done);
    for (const folder of new Set(steps.map(({ path }) => dirname(path)))) syncFolder(join(root, folder));
    removeFile(join(root, stagingFolder, planName));
    removeStaging(join(root, stagingFolder));
    return success(undefined);
  } catch (error) {
    const open = steps.map(({ path }) => path).filter((path) => !done.includes(path));
    return failure(unfinished(done, open, reasonOf(error)));
  }
}

/** Appends the path of each completed step to `done`. */
function applySteps(root: string, steps: readonly Step[], done: string[]): void {
  const folders = foldersBelow(root);
  try {
    for (const step of steps) {
      applyStep(folders, step);
      done.push(step.path);
    }
  } finally {
    folders.close();
  }
}

/** Target folders of a plan. Each is opened once and stays open until `close`. */
interface PlanFolders {
  /** Opens a folder by its path. Undefined if it does not exist and `make` is false. Throws if it leads out of the root. */
  readonly target: (path: string, make: boolean) => HeldFolder | undefined;
  readonly staging: () => HeldFolder;
  readonly close: () => void;
}

function foldersBelow(root: string): PlanFolders {
  const held = new Map<string, HeldFolder>();
  const hold = (path: string, parts: readonly string[], make: boolean): HeldFolder => {
    const folder = holdFolder(root, parts, { make });
    held.set(path, folder);
    return folder;
  };
  return {
    target: (path, make) => {
      const known = held.get(path);
      if (known !== undefined) return known;
      const found = findFolder(root, path === '.' ? [] : path.split('/'));
      if (typeof found === 'string') throw new Error(found);
      if (!make && found.missing.length > 0) return undefined;
      return hold(path, [...found.parts, ...found.missing], make);
    },
    staging: () => held.get(stagingFolder) ?? hold(stagingFolder, [stagingFolder], false),
    close: () => {
      for (const folder of held.values()) folder.close();
    },
  };
}

/** Safe to repeat: if the staged file is gone, the step was completed earlier. */
function applyStep(folders: PlanFolders, { path, staged }: Step): void {
  const folder = folders.target(dirname(path), staged !== undefined);
  if (folder === undefined) return;
  const target = folder.at(basename(path));
  if (staged === undefined) {
    removeFile(target);
    return;
  }
  const from = folders.staging().at(staged);
  if (isThere(from)) renameOver(from, target);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Removes the staging folder unless it contains a plan. */
function removeStaging(staging: string): void {
  if (!isThere(join(staging, planName))) rmSync(staging, { recursive: true, force: true });
}

function notWritable(message: string): Result<never> {
  const hint = 'free disk space or grant write permission, and run the command again';
  return failure(problem('dir/not-writable', message, { hint }));
}

function unfinished(done: readonly string[], open: readonly string[], reason: string): Problem {
  const written = done.length === 0 ? 'no file is written yet' : `written: ${done.join(', ')}`;
  const missing = open.length === 0 ? 'nothing' : open.join(', ');
  const message = `not all outputs were written: ${reason}; ${written}; missing: ${missing}`;
  return problem('dir/unfinished', message, { hint: completedFirst });
}
