import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { describeWith } from '../../support/programs.js';
import { oncePerInput } from '../../support/once-per-input.js';

/** The output lines of shellcheck, or the error if there is no output. */
function saidOf(args: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    execFile('shellcheck', args, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
      resolve(error === null || lines.length > 0 ? lines : [error.message]);
    });
  });
}

describeWith(['shellcheck'], 'shellcheck', () => {
  test('reports no problem in any script of templates/, including style', async () => {
    const paths = templatesFrom('templates')
      .list('.')
      .map((path) => join('templates', path));
    const all = paths.filter((path) => readFileSync(path, 'utf8').startsWith('#!'));
    expect(all.length).toBeGreaterThan(30);
    const scripts = all;
    const options = ['--external-sources', '--severity=style', '--format=gcc'];
    const version = spawnSync('shellcheck', ['--version'], { encoding: 'utf8' }).stdout;
    const texts = paths.map((path) => [path, readFileSync(path, 'latin1')]);

    // shellcheck reads every library again for each script that sources it, which is slow. Two runs share the scripts.
    await oncePerInput('shellcheck', [version, options, scripts, texts], async () => {
      const halves = [0, 1].map((half) => scripts.filter((_script, index) => index % 2 === half));
      const said = await Promise.all(halves.map((half) => saidOf([...options, ...half])));
      expect(said.flat()).toEqual([]);
    });
  });
});
