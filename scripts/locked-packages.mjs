// Packages that package-lock.json of a folder names, no other bytes, installed once a machine where the tools of the tests are.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sno-install/tools');
const manifests = ['package.json', 'package-lock.json'];

/**
 * The folder node_modules with what the manifests in `from` name, as `name` in the cache. `options` are more of npm's; `files` must be
 * there afterwards, since npm leaves out what it cannot fetch of optional packages, and ends well. Throws where one is not.
 */
export function installedPackages(from, { name, options = [], files }) {
  const hash = createHash('sha256');
  for (const manifest of manifests) hash.update(readFileSync(join(from, manifest)));
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) install(folder, { from, name, options, files });
  return join(folder, 'node_modules');
}

/** Appears with the files that are asked for or not at all; who comes second keeps what the first has made. */
function install(folder, { from, name, options, files }) {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, `.making-${name}-`));
  try {
    for (const manifest of manifests) cpSync(join(from, manifest), join(making, manifest));
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options];
    const { status } = spawnSync('npm', npm, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] });
    const lacking = files.find((file) => !existsSync(join(making, 'node_modules', file)));
    if (status !== 0 || lacking !== undefined)
      throw new Error(`${lacking ?? name} was not installed: see whether the registry of npm can be reached`);
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
