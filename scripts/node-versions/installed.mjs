// The releases of Node.js that the program is tested on, with no other bytes than package-lock.json beside this file names.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sno-install/tools');
const manifest = join(import.meta.dirname, 'package.json');
const lock = join(import.meta.dirname, 'package-lock.json');

/** Name and path of each release, the oldest first; installed once a machine, where the tools of the tests are. */
export function installedNodes() {
  const key = createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 16);
  const folder = join(cache, `node-versions-${key}`);
  if (!existsSync(folder)) install(folder);
  const names = Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies);
  return names.sort().map((name) => ({ name, path: join(folder, 'node_modules', name, 'bin/node') }));
}

/** Appears whole or not at all; who comes second keeps what the first has made. */
function install(folder) {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, '.making-node-versions-'));
  try {
    for (const file of [manifest, lock]) cpSync(file, join(making, file.slice(import.meta.dirname.length)));
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status } = spawnSync('npm', npm, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error('the releases of Node.js were not installed');
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
