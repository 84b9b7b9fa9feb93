import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { sno } from '../support/command.js';
import { describeWith } from '../support/programs.js';

describeWith(['bash'], 'completion in bash', () => {
  const complete = (...words: readonly string[]): readonly string[] => {
    const script = sno(['completion', 'bash']).stdout;
    const line = words.map((word) => JSON.stringify(word)).join(' ');
    const ask = `COMP_WORDS=(sno-install ${line}); COMP_CWORD=${words.length}; cd /proc/sys; _sno_install; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  };

  it.each([
    { words: ['cr'], want: ['create'] },
    {
      words: ['create', ''],
      want: expect.arrayContaining(['manifests', 'single-node-ignition-config', '--dir']) as unknown,
    },
    { words: ['create', 'manifests', '--st'], want: ['--state'] },
    { words: ['--dir', 'x', 'val'], want: ['validate'] },
    { words: ['graph', '--fo'], want: ['--format'] },
  ])('completes $words', ({ words, want }) => {
    expect(complete(...words)).toEqual(want);
  });
});

it.each(['zsh', 'fish'])('names every command and its options for %s', (shell) => {
  const { code, stdout } = sno(['completion', shell]);

  expect(code).toBe(0);
  for (const word of [
    'create',
    'manifests',
    'single-node-ignition-config',
    '--format',
    '--installation-disk',
  ]) {
    expect(stdout).toContain(word);
  }
});
