import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { isInsidePath } from './inside-path.js';
import { readRegularFile } from './regular-file.js';
import { whyUntrusted } from './trust.js';

/** One change of a commit: new contents from the staging folder, or a removal. */
export interface Step {
  readonly path: string;
  /** Name in the staging folder; absent for a removal. */
  readonly staged?: string;
}

/** Holds the new contents in a directory until the plan is carried out. */
export const stagingFolder = '.sno-install-pending';
/** The plan in the staging folder. It gets this name once every file that it lists is on the disk. */
export const planName = 'plan.json';

/**
 * Reads the plan of an interrupted commit; undefined if there is none. Rejects it if the plan or a staged file can be written
 * by users other than the caller and the owner of the directory. Problems: dir/untrusted.
 */
export function readPlan(root: string): Result<readonly Step[] | undefined> {
  const staging = join(root, stagingFolder);
  const plan = join(staging, planName);
  const folder = lstatSync(staging, { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true || lstatSync(plan, { throwIfNoEntry: false }) === undefined)
    return success(undefined);
  const folderFault = whyUntrusted(folder, root);
  if (folderFault !== undefined) return untrusted(stagingFolder, folderFault);
  const planFault = whyRefused(plan, root);
  if (planFault !== undefined) return untrusted(planPath, planFault);
  const steps = parsePlan(plan);
  if (typeof steps === 'string') return untrusted(planPath, steps);
  for (const { staged } of steps) {
    const reason = staged === undefined ? undefined : whyRefused(join(staging, staged), root);
    if (reason !== undefined) return untrusted(`${stagingFolder}/${String(staged)}`, reason);
  }
  return success(steps);
}

const planPath = `${stagingFolder}/${planName}`;

/** Why an entry of the staging folder is not trusted. Entries already renamed into place are gone and are not checked. */
function whyRefused(path: string, root: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isFile() ? whyUntrusted(stats, root) : 'it is not a regular file';
}

function parsePlan(path: string): readonly Step[] | string {
  const read = readRegularFile(path);
  if (read.kind !== 'file') return read.kind === 'absent' ? 'it does not exist' : read.reason;
  let steps: unknown;
  try {
    steps = JSON.parse(read.bytes.toString('utf8'));
  } catch {
    return 'it is not JSON';
  }
  if (!Array.isArray(steps) || !steps.every(isStep)) return 'it is not a plan of sno-install';
  const odd = steps.find(({ path: target }) => !isInsidePath(target));
  return odd === undefined ? steps : `${quoted(odd.path)} is not a path below the directory`;
}

function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string')
    return false;
  return !('staged' in value) || (typeof value.staged === 'string' && /^[0-9]+$/.test(value.staged));
}

function untrusted(path: string, reason: string): Result<never> {
  const message = `${path}, apparently left by an interrupted run, cannot be used: ${reason}`;
  const hint = `look at ${stagingFolder}; if you do not need it, delete it and run the command again`;
  return failure(problem('dir/untrusted', message, { at: { file: path }, hint }));
}
