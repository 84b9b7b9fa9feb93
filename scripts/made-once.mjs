// What is made once a machine, where the tools of the tests are.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where tools of the tests are. */
const tools = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sno-install/tools');

/**
 * The folder `name` in a cache, which `make` has filled: it gets an empty one. It appears whole or not at all; who comes second keeps
 * what the first has made.
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
    // Somebody else was first.
    if (!existsSync(folder)) throw error;
  }
}
