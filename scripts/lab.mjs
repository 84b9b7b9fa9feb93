// Runs the laboratory of the boot flow: the main path with the given options, or all files of the lab.
//
//   npm run lab                                       the main path of the default release, the faults and the kills
//   npm run lab -- --release 4.18 --render Installer  only the main path, of that release
//   npm run lab -- --phase 1 --keep                   only the live system; keeps its root for inspection
//   npm run lab -- --long-names                       names beyond the 64 characters of a common name
//   npm run lab -- --fail-at mco-bootstrap            makes that stage fail once
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { versionIn } from '../.cache/modules/release/release-version.js';
import { defaultReleaseVersion, releases } from '../.cache/modules/release/releases.js';

const values = readOptions();
const version = versionIn(values.release);
const release = version && releases.knownAs(version);
if (release?.version.major !== 4)
  refuse(`unknown --release ${values.release}; releases: ${releases.offeredText}`);
if (!['Installer', 'Release'].includes(values.render)) refuse('--render must be Installer or Release');
if (!['1', '2'].includes(values.phase)) refuse('--phase must be 1 or 2');

const options = {
  minor: release.version.minor,
  render: values.render,
  phase: Number(values.phase),
  hasLongNames: values['long-names'],
  keep: values.keep,
  output: values.output,
  ...(values['fail-at'] && { failAt: values['fail-at'] }),
};
// These options apply only to the main path.
const isParticular = ['fail-at', 'keep', 'long-names', 'phase', 'release', 'render'].some((name) =>
  process.argv.includes(`--${name}`),
);
const files = values.only ? values.only.split(',') : isParticular ? ['main-path'] : [];
// .ci/run counts the tests of the report.
const reporters = [
  '--reporter=verbose',
  ...(values.report ? ['--reporter=json', `--outputFile.json=${values.report}`] : []),
];
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/lab/vitest.config.ts', ...reporters, ...files],
  { stdio: 'inherit', env: { ...process.env, SNO_LAB_OPTIONS: JSON.stringify(options) } },
);
process.exit(status ?? 1);

function refuse(message) {
  console.error(message);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        'fail-at': { type: 'string' },
        keep: { type: 'boolean', default: false },
        'long-names': { type: 'boolean', default: false },
        only: { type: 'string' },
        output: { type: 'string', default: '.cache/lab' },
        phase: { type: 'string', default: '2' },
        report: { type: 'string' },
        release: { type: 'string', default: defaultReleaseVersion },
        render: { type: 'string', default: 'Release' },
      },
    }).values;
  } catch (error) {
    return refuse(error.message);
  }
}
