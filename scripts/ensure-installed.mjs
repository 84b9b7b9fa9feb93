// Runs `npm ci` if node_modules is missing or older than the lock file, so that a fresh clone needs one command.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const modifiedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (modifiedMs('node_modules/.package-lock.json') < modifiedMs('package-lock.json')) {
  const { status } = spawnSync('npm', ['ci'], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.exit(status ?? 1);
}
