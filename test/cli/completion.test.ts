import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { describeWith } from '../support/programs.js';
import { script, wordsOf, cases } from './completion-cases.js';

describeWith(['bash'], 'completion in bash', () => {
  const complete = async (words: readonly string[]): Promise<readonly string[]> => {
    const line = words.map((word) => JSON.stringify(word)).join(' ');
    const ask = `COMP_WORDS=(sno-install ${line}); COMP_CWORD=${words.length}; cd /proc/sys; _sno_install; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return wordsOf(stdout);
  };
  it.each(cases)('$words', async ({ words, want }) => {
    expect(await complete(words)).toEqual(want);
  });

  it('after an equals sign, which bash makes a word of', async () => {
    expect(await complete(['validate', '--output', '=', 'j'])).toEqual(['json', 'junit']);
    expect(await complete(['validate', '--output', '='])).toEqual([
      'github',
      'json',
      'junit',
      'sarif',
      'text',
      'yaml',
    ]);
  });

  it('leaves files to bash', async () => {
    expect(await script('bash')).toMatch(/^complete -o default -F _sno_install sno-install$/m);
    expect(await complete(['analyze', 'log-'])).toEqual([]);
    expect(await complete(['validate', '--dir', ''])).toEqual([]);
  });

  it('uses only features of bash 3.2', async () => {
    // Features that need bash 4. Source: CHANGES of bash, sections for 4.0 to 4.4
    expect(await script('bash')).not.toMatch(
      /\b(?:mapfile|readarray|compopt|coproc)\b|declare -[Agn]|local -[Agn]|\$\{[a-z]+(?:,,|\^\^)|\|&|;;&|&>>/,
    );
  });
});

describe('the script for powershell', () => {
  it.each(['create single-node-ignition-config', 'wait-for node-ready'])('completes %s', async (path) => {
    expect(await script('powershell')).toContain(`        '${path}' = @('--`);
  });

  it('completes the values of options', async () => {
    expect(await script('powershell')).toContain(
      "        'graph:--output' = @('text', 'json', 'yaml', 'dot', 'mermaid')\n",
    );
  });

  it('escapes quotes in texts', async () => {
    for (const line of (await script('powershell'))
      .split('\n')
      .filter((each) => each.startsWith("        '"))) {
      expect(line).toMatch(/^ {8}'[a-z :-]*' = @\((?:'[\w/.-]+'(?:, )?)*\)$/);
    }
  });
});
