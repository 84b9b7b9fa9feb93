import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs git in a folder and gives back what it prints. */
export function git(folder: string, ...args: readonly string[]): string {
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.symlinks=true'];
  const { stdout, stderr, status } = spawnSync('git', ['-C', folder, ...user, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Lays files by path, and links as `{ to }`. */
export function lay(folder: string, files: Readonly<Record<string, string | { readonly to: string }>>): void {
  for (const [path, what] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (typeof what === 'string') writeFileSync(join(folder, path), what);
    else symlinkSync(what.to, join(folder, path));
  }
}

/** Commits all that lies in a folder, and gives back the id of the commit. */
export function commitAll(folder: string): string {
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'as it is');
  return git(folder, 'rev-parse', 'HEAD');
}
