import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { scratchFolder } from '../support/scratch.js';

test.each([['validate'], ['create', 'single-node-ignition-config']])(
  '%s %s reads two files of the bundle to tell of a fault in a config',
  (...command) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'install-config.yaml'), 'apiVersion: v1\nbaseDomain: example_com\n');
    const watch = join(folder, 'watch.cjs');
    writeFileSync(
      watch,
      `const { Module } = require('node:module'), { basename } = require('node:path');
const compile = Module.prototype._compile;
Module.prototype._compile = function (source, file, ...rest) {
  console.error('reads ' + basename(file).replace(/-.*/, ''));
  return compile.call(this, source, file, ...rest);
};`,
    );
    const args = ['-r', watch, 'dist/cli.js', ...command, '--dir', folder];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

    expect([status, stderr.match(/^reads .*$/gm)]).toEqual([1, ['reads cli.js', 'reads judge']]);
  },
);
