import { readFileSync, writeFileSync } from 'node:fs';

import { beforeAll, expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { describedKeyfiles } from './described.js';
import { descriptionCorpus } from './description-corpus.js';
import { builtNmstatectl, realKeyfiles } from './real-nmstatectl.js';
import { refusedCorpus } from './refused-corpus.js';

const buildTimeoutMs = 30 * 60_000;

describeWith(['cargo'], 'nmstatectl gc of nmstate 2.2', () => {
  let program = '';
  beforeAll(() => {
    program = builtNmstatectl();
  }, buildTimeoutMs);

  test.each(Object.entries(descriptionCorpus))('writes the same profiles: %s', (_name, description) => {
    expect(describedKeyfiles(description)).toEqual(realKeyfiles(program, description));
  });

  test('wrote the recorded files', () => {
    const answers = Object.fromEntries(
      Object.entries(descriptionCorpus).map(([name, text]) => [name, realKeyfiles(program, text)]),
    );
    const file = 'test/config/network/recorded-keyfiles.json';
    const text = `${JSON.stringify(answers, null, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test.each(Object.entries(refusedCorpus))('refuses too: %s', (_name, description) => {
    expect(realKeyfiles(program, description)).toEqual({ error: expect.stringMatching(/\S/) as string });
    expect(describedKeyfiles(description)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^config\//)]),
    );
  });
});
