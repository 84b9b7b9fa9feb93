// Cache of test tools and other files that are built once per machine.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Cache of test tools. */
const tools = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sno-install/tools');

/**
 * Returns the folder `name` in the cache. If missing, `make` fills an empty folder, which then appears atomically. Concurrent callers
 * get the first one's result.
 */
export function madeOnce(name, make, cache = tools) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, `.making-${name}-`));
  try {
    make(making);
    take(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
}

function take(making, folder) {
  try {
    renameSync(making, folder);
  } catch (error) {
    // Another process created it first.
    if (!existsSync(folder)) throw error;
  }
}
