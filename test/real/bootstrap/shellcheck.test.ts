import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { templatesFrom } from '../../../src/disk/templates.js';
import { describeWith } from '../../support/programs.js';
import { oncePerInput } from '../../support/once-per-input.js';

describeWith(['shellcheck'], 'shellcheck', () => {
  test('has nothing to say of any script of templates/, style included', () => {
    const paths = templatesFrom('templates')
      .list('.')
      .map((path) => join('templates', path));
    const scripts = paths.filter((path) => readFileSync(path, 'utf8').startsWith('#!'));
    const options = ['--external-sources', '--severity=style', '--format=gcc'];
    const version = spawnSync('shellcheck', ['--version'], { encoding: 'utf8' }).stdout;
    const texts = paths.map((path) => [path, readFileSync(path, 'latin1')]);

    // It reads every library anew for each script that sources it, which takes long.
    oncePerInput('shellcheck', [version, options, scripts, texts], () => {
      const { stdout, stderr, status } = spawnSync('shellcheck', [...options, ...scripts], {
        encoding: 'utf8',
      });
      expect({ status, said: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') }).toEqual({
        status: 0,
        said: [],
      });
    });

    expect(scripts.length).toBeGreaterThan(30);
  });
});
