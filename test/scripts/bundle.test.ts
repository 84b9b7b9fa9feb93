import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { scratchFolder } from '../support/scratch.js';

/** Prints on stderr what of the bundle a process reads. */
function watchIn(folder: string): string {
  const watch = join(folder, 'watch.cjs');
  writeFileSync(
    watch,
    `const vm = require('node:vm'), { basename } = require('node:path');
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    console.error('reads ' + basename(options.filename).replace(/-.{8}[.]js$/, ''));
  }
};`,
  );
  return watch;
}

test('the judge of Ignition configs is read where a MachineConfig is to be judged, with nothing else', () => {
  const readWith = (manifest: string): readonly string[] | null => {
    const folder = scratchFolder();
    cpSync('fixtures/invalid/manifest--ignition-version', folder, { recursive: true });
    writeFileSync(join(folder, 'openshift/motd.yaml'), manifest);
    const args = ['-r', watchIn(folder), 'dist/cli.js', 'validate', '--dir', folder];
    return spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr.match(/^reads judge.*$/gm);
  };
  const header = { metadata: { name: 'a', namespace: 'default' } };
  const machineConfig = {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    ...header,
  };
  expect(readWith(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...header }))).toEqual([
    'reads judge',
  ]);
  expect(readWith(JSON.stringify(machineConfig))).toEqual([
    'reads judge',
    'reads judge-any-spec',
    'reads judge-ignition',
  ]);
});
