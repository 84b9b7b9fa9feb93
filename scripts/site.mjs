// Builds the documentation as a static site in out/site.
//
//   npm run site                              for the root of a host
//   npm run site -- --base /sno-install/      for a path of a host
//   npm run site -- --outDir /srv/www/docs    into another folder
//   npm run site -- --repository URL          with a link to the source
//
// Installs the build tools (site/package-lock.json) first if they are missing; the rest needs no network.
import { spawnSync } from 'node:child_process';
import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { installedPackages } from './locked-packages.mjs';

const vitepress = 'vitepress/bin/vitepress.js';
const packages = installedPackages('site', { name: 'site', files: [vitepress, '@viz-js/viz/package.json'] });
link(packages, 'site/node_modules');
// In its own folder: elsewhere VitePress creates a link to Vue in the node_modules above the working directory.
const { values } = parseArgs({
  options: { base: { type: 'string' }, outDir: { type: 'string' }, repository: { type: 'string' } },
});
const { repository, outDir, base } = values;
const { status } = spawnSync(
  process.execPath,
  [
    join(packages, vitepress),
    'build',
    '.',
    ...(base === undefined ? [] : ['--base', base]),
    ...(outDir === undefined ? [] : ['--outDir', resolve(outDir)]),
  ],
  {
    cwd: 'site',
    env: { ...process.env, ...(repository !== undefined && { SITE_REPOSITORY: repository }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
process.exitCode = status ?? 1;

/** Atomically replaces the link at `path` by one to `folder`. */
function link(folder, path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && readlinkSync(path) === folder) return;
  if (found !== undefined && !found.isSymbolicLink()) rmSync(path, { recursive: true });
  symlinkSync(folder, `${path}.${process.pid}`);
  renameSync(`${path}.${process.pid}`, path);
}
