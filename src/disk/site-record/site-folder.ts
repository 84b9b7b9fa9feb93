import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { success, type Result } from '../../core/result.js';
import { openDirectory } from '../directory.js';
import { lockName } from '../lock/lock-names.js';
import { stagingFolder } from '../pending-plan.js';
import { stateFileName } from '../state/state-file.js';

/** What lies in the folder of a site. */
export interface SiteFolder {
  /** Whether a run was interrupted there, or is there now. */
  readonly isUnsettled: boolean;
  /** Whether it has keys. */
  readonly hasState: boolean;
}

/** Looks into the folder of a site; one that is not there is empty. */
export function lookIntoSite(dir: string): SiteFolder {
  const names = namesIn(dir);
  return {
    isUnsettled: names.some((name) => name === stagingFolder || name.startsWith(lockName)),
    hasState: names.includes(stateFileName),
  };
}

/** Completes what a run left that died there, or takes it back. Problems: those of `openDirectory`. */
export async function settleSite(dir: string, command: string, within = dir): Promise<Result<void>> {
  const lock = await openDirectory(dir, command, within);
  if (!lock.ok) return lock;
  lock.value.release();
  return success(undefined);
}

/** The names of folders in a folder; none of one that is not there. */
export function foldersIn(dir: string): readonly string[] {
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
