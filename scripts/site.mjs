// Builds the documentation as a site of files, into out/site.
//
//   npm run site                              for the root of a host
//   npm run site -- --base /sno-install/      for a path of one
//   npm run site -- --outDir /srv/www/docs    elsewhere
//
// What it is built with (site/package-lock.json) is installed first where it is missing; the rest needs no network.
import { spawnSync } from 'node:child_process';
import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { installedPackages } from './locked-packages.mjs';

const vitepress = 'vitepress/bin/vitepress.js';
const packages = installedPackages('site', { name: 'site', files: [vitepress, '@viz-js/viz/package.json'] });
link(packages, 'site/node_modules');
// In its own folder: elsewhere VitePress lays a link to Vue among the packages that it finds above the working directory.
const { status } = spawnSync(
  process.execPath,
  [join(packages, vitepress), 'build', '.', ...process.argv.slice(2).map(absolute)],
  { cwd: 'site', stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exitCode = status ?? 1;

/** An argument; the path after --outDir as it is from every folder. */
function absolute(argument, index, all) {
  return all[index - 1] === '--outDir' ? resolve(argument) : argument;
}

/** Has `path` lead to a folder, in one step for who reads it meanwhile. */
function link(folder, path) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && readlinkSync(path) === folder) return;
  if (found !== undefined && !found.isSymbolicLink()) rmSync(path, { recursive: true });
  symlinkSync(folder, `${path}.${process.pid}`);
  renameSync(`${path}.${process.pid}`, path);
}
