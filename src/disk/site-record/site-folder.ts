import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { success, type Result } from '../../core/result.js';
import { openDirectory } from '../directory.js';
import { lockName } from '../lock/lock-names.js';
import { stagingFolder } from '../pending-plan.js';
import { stateFileName } from '../state/state-file.js';

export interface SiteFolder {
  /** Whether a run was interrupted there or is in progress. */
  readonly isUnsettled: boolean;
  /** Whether a state file, and so keys, exist. */
  readonly hasState: boolean;
}

/** Inspects the folder of a site. A missing folder counts as empty. */
export function inspectSiteFolder(dir: string): SiteFolder {
  const names = namesIn(dir);
  return {
    isUnsettled: names.some((name) => name === stagingFolder || name.startsWith(lockName)),
    hasState: names.includes(stateFileName),
  };
}

/** Completes or rolls back an interrupted run in the folder. Problems: those of `openDirectory`. */
export async function recoverSite(dir: string, command: string, within = dir): Promise<Result<void>> {
  const lock = await openDirectory(dir, command, within);
  if (!lock.ok) return lock;
  lock.value.release();
  return success(undefined);
}

/** Names of the subfolders; empty if the folder does not exist. */
export function subfolderNames(dir: string): readonly string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(join(dir));
  } catch {
    return [];
  }
}
