import { spawnSync } from 'node:child_process';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { shellWord } from '../../src/formats/shell-word.js';
import { describeWith } from '../support/programs.js';

describe('shellWord', () => {
  test.each([
    { given: 'site1/auth/kubeconfig', want: 'site1/auth/kubeconfig' },
    { given: 'my sité', want: "'my sité'" },
    { given: "it's", want: `'it'\\''s'` },
    { given: '', want: "''" },
    { given: '-rf', want: "'-rf'" },
    { given: '$(reboot)', want: "'$(reboot)'" },
  ])('$given', ({ given, want }) => {
    expect(shellWord(given)).toBe(want);
  });
});

describeWith(['bash'], 'a shell', () => {
  test('reads back every word', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
    const words = fc.sample(word, 200);
    const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], {
      encoding: 'utf8',
    });
    expect(stdout.split('\0').slice(0, -1)).toEqual(words);
  });
});
