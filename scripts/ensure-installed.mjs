// Runs `npm ci` if node_modules is missing or older than the lock file, so that a fresh clone needs one command. Prints to stderr only:
// `npm pack --silent` runs it too, and its stdout is the name of the package file.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const modifiedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (modifiedMs('node_modules/.package-lock.json') < modifiedMs('package-lock.json')) {
  // Hides the engine warning of node-liblzma on Node.js 20: the program uses only its WebAssembly, which runs there.
  const { status } = spawnSync('npm', ['ci', '--loglevel', 'error'], {
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  process.exit(status ?? 1);
}
