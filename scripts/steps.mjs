// Runs the steps of `npm run quickstart` and of `npm pack` and prints each with its time on stderr, because the first build takes up to a
// minute. The stdout of `npm pack --silent` is the name of the package file, so no step of it prints there. Needs no package.
//
// Usage: node scripts/steps.mjs quickstart | prepack
import { spawnSync } from 'node:child_process';

const node = process.execPath;
const install = ['Install the build tools (npm ci)', node, 'scripts/ensure-installed.mjs'];
const build = ['Compile the command', node, 'scripts/build.mjs'];
const steps = {
  quickstart: [
    install,
    build,
    ['Create the first example in out/quickstart', node, 'scripts/quickstart.mjs'],
  ],
  prepack: [
    install,
    build,
    ['Write manual pages and completion scripts', node, 'scripts/manual.mjs'],
    ['Set the modes of the files', node, 'scripts/packed-modes.mjs'],
  ],
}[process.argv[2]];

for (const [index, [name, ...command]] of steps.entries()) {
  const [program, ...args] = command;
  const start = performance.now();
  process.stderr.write(`${index + 1}/${steps.length} ${name}\n`);
  const stdout = process.argv[2] === 'prepack' ? process.stderr : 'inherit';
  const { status } = spawnSync(program, args, { stdio: ['ignore', stdout, 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
  process.stderr.write(`    done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
