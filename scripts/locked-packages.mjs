// Installs npm packages pinned by a folder's package-lock.json into the cache of test tools, once per machine.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { madeOnce } from './made-once.mjs';

const manifests = ['package.json', 'package-lock.json'];

/**
 * Returns the node_modules folder with the packages of the manifests in `from`, stored as `name` in the cache. `options` are passed
 * to npm. Throws if one of `files` is missing afterwards, because npm succeeds even if it cannot fetch an optional package.
 */
export function installedPackages(from, { name, options = [], files }) {
  const hash = createHash('sha256');
  for (const manifest of manifests) hash.update(readFileSync(join(from, manifest)));
  const folder = madeOnce(`${name}-${hash.digest('hex').slice(0, 16)}`, (making) => {
    for (const manifest of manifests) cpSync(join(from, manifest), join(making, manifest));
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options];
    const { status } = spawnSync('npm', npm, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] });
    const lacking = files.find((file) => !existsSync(join(making, 'node_modules', file)));
    if (status !== 0 || lacking !== undefined)
      throw new Error(`${lacking ?? name} could not be installed: check that the npm registry is reachable`);
  });
  return join(folder, 'node_modules');
}
