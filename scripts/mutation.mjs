// Mutation testing of a module with Stryker: changes one place at a time and counts changes that no test of the module detects.
//
//   npm run mutation -- MODULE [--only 'src/disk/state/**']
//
// Prints the score. .cache/mutation contains a report per module with the surviving mutants. Takes minutes to hours; not part of .ci/run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { mutatedModules } from './mutation/modules.mjs';
import { mutationFigures } from './mutation/mutation-figures.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
const [name = ''] = positionals;
const module = mutatedModules[name];
if (module === undefined) refuse(`unknown module; modules: ${Object.keys(mutatedModules).join(', ')}`);

const folder = resolve('.cache/mutation');
install();
const report = `${folder}/${name}.json`;
const config = `${folder}/${name}.config.json`;
writeFileSync(config, JSON.stringify(configOf(module), null, 2));
const { status } = spawnSync(
  process.execPath,
  [`${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`, 'run', config],
  {
    stdio: 'inherit',
    env: { ...process.env, MUTATED_ROOM: name },
  },
);
if (status !== 0) process.exit(status ?? 1);
const figures = mutationFigures(JSON.parse(readFileSync(report, 'utf8')));
console.log(JSON.stringify({ module: name, ...figures }));

/** Installs Stryker's packages where they resolve the project's vitest: with a second vitest no test would run. */
function install() {
  mkdirSync(folder, { recursive: true });
  const manifests = ['package.json', 'package-lock.json'].map((file) => [
    `scripts/mutation/${file}`,
    `${folder}/${file}`,
  ]);
  const isThere = manifests.every(
    ([from, to]) =>
      existsSync(to) &&
      readFileSync(from).equals(readFileSync(to)) &&
      existsSync(`${folder}/node_modules/.package-lock.json`),
  );
  if (isThere) return;
  for (const [from, to] of manifests) cpSync(from, to);
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const npm = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (npm.status !== 0)
    throw new Error('Stryker could not be installed: check that the npm registry is reachable');
}

function configOf({ mutate }) {
  return {
    mutate: options.only === undefined ? mutate : [options.only],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    plugins: [`${folder}/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js`],
    coverageAnalysis: 'perTest',
    // Each mutant in a text or table that is evaluated at load time would require all tests of the module.
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 20_000,
    incremental: true,
    incrementalFile: `${folder}/${name}.incremental.json`,
    tempDirName: `${folder}/sandbox-${name}`,
    reporters: ['json', 'dots', 'clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: report },
    ignorePatterns: ['/dist', '/out', '/man', '/completion', '/.cache', '/docs', '/site', '/examples'],
    allowEmpty: false,
  };
}

function refuse(why) {
  console.error(why);
  process.exit(2);
}
