import { describe, expect, test } from 'vitest';

import { templatesFrom } from '../../../src/disk/program-files/templates.js';

/** Style rules for all scripts of the node. */
describe.each(['live', 'aio'])('the scripts of templates/%s', (folder) => {
  const templates = templatesFrom('templates');
  const texts = templates
    .list(folder)
    .map((path) => ({ path, text: new TextDecoder().decode(templates.read(`${folder}/${path}`)) }))
    .filter(({ text }) => text.startsWith('#!'));

  test('have a header with purpose, trigger, outputs and failures', () => {
    const without = texts.filter(({ text }) => {
      const header = text.slice(0, text.search(/\n[^#]/));
      return !['When:', 'Writes:', 'Stops:'].every((word) => header.includes(`\n# ${word.padEnd(7)} `));
    });
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  test('have functions of at most 30 lines', () => {
    const long = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/^([a-z_]+)\(\) \{\n([\s\S]*?)^\}$/gm)]
        .filter(([, , body = '']) => body.split('\n').length - 1 > 30)
        .map(([, name = '']) => `${path}: ${name}`),
    );
    expect(long).toEqual([]);
  });

  test('exit at the first error when run as programs', () => {
    const programs = texts.filter(({ text }) => /^main( "\$\{@\}")?$/m.test(text));
    const lax = programs.filter(({ text }) => !/^set -E?euo pipefail$/m.test(text));
    expect(lax.map(({ path }) => path)).toEqual([]);
    expect(programs.length).toBeGreaterThan(folder === 'live' ? 15 : 3);
  });

  test('wait without a limit nowhere', () => {
    const loops = texts.flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => /^\s*(while|until) (true|:|! )/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(loops).toEqual([]);
  });
});
