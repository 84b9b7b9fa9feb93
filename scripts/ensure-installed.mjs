// Runs `npm ci` if node_modules is missing or older than the lock file, so that a fresh clone needs one command. Prints to stderr only:
// `npm pack --silent` runs it too, and its stdout is the name of the package file.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const modifiedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (modifiedMs('node_modules/.package-lock.json') < modifiedMs('package-lock.json')) {
  // Without warnings: node-liblzma asks for Node.js 22, but its WebAssembly, the only part in use, runs on every supported version.
  const { status } = spawnSync('npm', ['ci', '--loglevel', 'error'], {
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  process.exit(status ?? 1);
}
