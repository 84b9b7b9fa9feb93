// Runs the unit tests and golden tests on every supported Node.js release, and compares the outputs of the built program.
//
//   npm run test:node-versions             all of them
//   npm run test:node-versions -- node-26  these
//
// Prints one line per release; the exit code is 1 if a test fails or an output differs.
import { spawnSync } from 'node:child_process';

import { installedNodes } from './node-versions/installed.mjs';
import { compareBytes } from './node-versions/same-bytes.mjs';

const nodes = installedNodes();
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !nodes.some((node) => node.name === name));
if (unknown !== undefined) {
  console.error(`unknown Node.js version ${unknown}; versions: ${nodes.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = nodes.filter(({ name }) => asked.length === 0 || asked.includes(name));

/** A separate cache, which concurrent vitest runs do not clear. */
const ownCache = '--experimental.fsModuleCachePath=.cache/transformed-by-releases';
const suites = [
  ['unit tests', ['--project', 'unit']],
  ['goldens', ['--project', 'tests', 'test/golden']],
];
const results = chosen.map(({ name, path }) => ({ name, path, failed: suitesFailingOn(name, path) }));
for (const { name, path, failed } of results) {
  const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`${name} (${version}): ${failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`}`);
}
// Includes releases that were not selected: a comparison needs two.
const { files, differences } = compareBytes(nodes);
console.log(`${files} files compared between ${nodes.length} releases of Node.js, ${differences} differ`);
process.exitCode =
  results.every(({ failed }) => failed.length === 0) && differences === 0 && files > 0 ? 0 : 1;

function suitesFailingOn(name, path) {
  return suites
    .filter(([title, args]) => {
      console.log(`--- ${title}, ${name}`);
      const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', ownCache, ...args];
      return spawnSync(path, vitest, { stdio: ['ignore', 'inherit', 'inherit'] }).status !== 0;
    })
    .map(([title]) => title);
}
