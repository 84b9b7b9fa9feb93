import type { Problem } from '../core/problem.js';
import type { IgnitionConfig } from './types.js';
import { conflict, invalid, duplicatesIn } from './violation.js';

/** Checks that paths are clean and that files, folders and units do not conflict. Problems: ignition/conflict, ignition/invalid. */
export function checkPaths(config: IgnitionConfig): readonly Problem[] {
  const files = pathsOf(config.storage?.files);
  const paths = [...files, ...pathsOf(config.storage?.directories)];
  return [
    ...paths.filter(isNoPlainPath).map((path) => invalid(`${path} is not a plain absolute path`)),
    ...duplicatesIn(paths).map((path) => conflict(`${path} is in the config twice`)),
    ...checkUnitPaths(config, paths),
    ...checkFolders(paths, new Set(files)),
  ];
}

function isNoPlainPath(path: string): boolean {
  return !isPlainPath(path);
}

/** True for absolute paths without empty parts, `.` or `..`. Source: Ignition's validation of paths (Go `path.Clean`). */
export function isPlainPath(path: string): boolean {
  const [root, ...parts] = path.split('/');
  return root === '' && parts.length > 0 && parts.every(isPlainPart);
}

function isPlainPart(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..' && !part.includes('\0');
}

/** Ignition writes units as files, whose paths may conflict too. Source: Ignition's config validation since 2.15. */
function checkUnitPaths({ systemd }: IgnitionConfig, paths: readonly string[]): readonly Problem[] {
  const filePaths = new Set(paths);
  const claims = (systemd?.units ?? []).flatMap(({ name, dropins = [] }) => [
    { name, path: `/etc/systemd/system/${name}` },
    ...dropins.map((dropin) => ({ name, path: `/etc/systemd/system/${name}.d/${dropin.name}` })),
  ]);
  const problems: Problem[] = [];
  for (const { name, path } of claims) {
    if (filePaths.has(path)) problems.push(conflict(`${path} is both a file and part of unit ${name}`));
  }
  return problems;
}

/** Reports paths below a file. */
function checkFolders(paths: readonly string[], files: ReadonlySet<string>): readonly Problem[] {
  const problems: Problem[] = [];
  for (const path of paths) {
    for (const folder of foldersAbove(path)) {
      if (files.has(folder)) problems.push(conflict(`${path} lies below ${folder}, which is a file`));
    }
  }
  return problems;
}

/** Parent folders of a path without the root: `/a` and `/a/b` for `/a/b/c`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  let end = path.indexOf('/');
  while (end >= 0) {
    end = path.indexOf('/', end + 1);
    if (end >= 0) folders.push(path.slice(0, end));
  }
  return folders;
}

function pathsOf(entries: readonly { readonly path: string }[] = []): readonly string[] {
  return entries.map(pathOf);
}

function pathOf({ path }: { readonly path: string }): string {
  return path;
}
