import { spawnSync } from 'node:child_process';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { splitCommand } from '../../src/formats/split-command.js';

describe('a command line without a shell', () => {
  it.each([
    { line: 'sops -d site1.json', words: ['sops', '-d', 'site1.json'] },
    { line: '  age  -d\t-i "my key.txt" ', words: ['age', '-d', '-i', 'my key.txt'] },
    { line: `a 'b "c" $d' "e \\"f\\" \\g"`, words: ['a', 'b "c" $d', 'e "f" \\g'] },
    { line: `x''y "" 'z'\\ w`, words: ['xy', '', 'z w'] },
    { line: `sh -c 'cat a | jq .'`, words: ['sh', '-c', 'cat a | jq .'] },
  ])('$line', ({ line, words }) => {
    expect(splitCommand(line)).toEqual({ words });
  });

  it.each([
    { line: 'cat a | jq .', fault: 'has a | in it, which only a shell understands' },
    { line: 'cat $HOME/a', fault: 'has a $ in it, which only a shell understands' },
    { line: 'cat "$HOME/a"', fault: 'has a $ in it, which only a shell understands' },
    { line: 'cat ~/a', fault: 'has a ~ in it, which only a shell understands' },
    { line: 'a\nb', fault: 'has several lines, which only a shell understands' },
    { line: "cat 'a", fault: 'has an unclosed quote' },
    { line: 'cat a\\', fault: 'ends in a backslash' },
    { line: '  ', fault: 'is empty' },
  ])('refuses $line', ({ line, fault }) => {
    expect(splitCommand(line)).toEqual({ fault });
  });

  it('has the words that sh gives it, where it has any', () => {
    const letters = fc.constantFrom(
      'a',
      'b',
      ' ',
      "'",
      '"',
      '\\',
      '$',
      '=',
      '|',
      '-',
      '`',
      '{',
      '!',
      '^',
      '%',
    );
    const lines = fc.sample(fc.string({ unit: letters, minLength: 1, maxLength: 12 }), 3000);
    const split = [...new Set(lines)].flatMap((line) => {
      const read = splitCommand(line);
      return 'words' in read ? [{ line, words: read.words }] : [];
    });
    expect(split.length).toBeGreaterThan(300);

    const script = split.map(({ line }) => `printf '%s\\0' ${line}; printf '\\n\\0'\n`).join('');
    const { stdout } = spawnSync('sh', { input: script, encoding: 'utf8' });

    const read = stdout.split('\n\0').slice(0, -1);
    expect(read).toEqual(split.map(({ words }) => words.map((word) => `${word}\0`).join('')));
  });
});
