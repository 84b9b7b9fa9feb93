import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function git(folder: string, ...args: readonly string[]): string {
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.symlinks=true'];
  const { stdout, stderr, status } = spawnSync('git', ['-C', folder, ...user, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Writes files, keyed by path; `{ to }` makes a symbolic link. */
export function lay(folder: string, files: Readonly<Record<string, string | { readonly to: string }>>): void {
  for (const [path, what] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (typeof what === 'string') writeFileSync(join(folder, path), what);
    else symlinkSync(what.to, join(folder, path));
  }
}

/** Commits everything in a folder, ignored files too, and returns the commit ID. */
export function commitAll(folder: string): string {
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'as it is');
  return git(folder, 'rev-parse', 'HEAD');
}
