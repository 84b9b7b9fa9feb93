import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { isInsidePath } from './inside-path.js';
import { readRegularFile } from './regular-file.js';
import { whyUntrusted } from './trust.js';

/** What a commit does to one path: a new content from the staging folder, or its removal. */
export interface Step {
  readonly path: string;
  /** Name in the staging folder; absent when the path is to be removed. */
  readonly staged?: string;
}

/** Where new contents wait in a directory until the plan is carried out. */
export const stagingFolder = '.sno-install-pending';
/** The plan in the staging folder, which appears there when everything that it names is on the disk. */
export const planName = 'plan.json';

/**
 * The plan that a run decided on and did not complete; undefined when there is none. It is believed only when it and the
 * staged files can be written by nobody but the caller and the owner of the directory. Problems: dir/untrusted.
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

/** Why something in the staging folder is not believed; what has been renamed into place is no longer there to be judged. */
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
  if (!Array.isArray(steps) || !steps.every(isStep)) return 'it is no plan of this program';
  const odd = steps.find(({ path: target }) => !isInsidePath(target));
  return odd === undefined ? steps : `${quoted(odd.path)} is no path below the directory`;
}

function isStep(value: unknown): value is Step {
  if (typeof value !== 'object' || value === null || !('path' in value) || typeof value.path !== 'string')
    return false;
  return !('staged' in value) || (typeof value.staged === 'string' && /^[0-9]+$/.test(value.staged));
}

function untrusted(path: string, reason: string): Result<never> {
  const message = `${path}, which an interrupted run seems to have left, is not used: ${reason}`;
  const hint = `look at ${stagingFolder}; when it is not yours, delete it and run the command again`;
  return failure(problem('dir/untrusted', message, { at: { file: path }, hint }));
}
