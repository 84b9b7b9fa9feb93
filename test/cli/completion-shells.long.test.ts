import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { scaledMs } from '../support/time-scale.js';
import { script, wordsOf, cases } from './completion-cases.js';

/** Prints the matches that compadd gets in a new zsh at its first Tab, with the script in a folder of fpath. */
const zshDriver = `
  zmodload zsh/zpty
  zpty shell "zsh -f -i"
  zpty -w shell 'PS1=; fpath=('$1'/functions $fpath); path=('$1'/bin $path); cd /proc/sys; autoload -Uz compinit; compinit -D -u'
  zpty -w shell 'compadd() { local -a fits; builtin compadd -O fits "$@"; print -l -- BEG""IN $fits EN""D; builtin compadd "$@" }; bindkey "^X" complete-word; print READY$((1+1))'
  local shown
  zpty -r shell shown '*READY2*'
  zpty -n -w shell "$2"$'\\x18'
  zpty -r shell shown '*BEGIN*END*'
  print -r -- "\${\${shown##*BEGIN}%%END*}"
  zpty -d shell`;

describeWith(['zsh'], 'completion in zsh, from a folder of fpath, at the first Tab', () => {
  const complete = async (words: readonly string[]): Promise<readonly string[]> => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'functions'));
    writeFileSync(join(folder, 'functions/_sno-install'), await script('zsh'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync(resolve('dist/cli.js'), join(folder, 'bin/sno-install'));
    const args = ['-f', '-c', zshDriver, 'driver', folder, ['sno-install', ...words].join(' ')];
    const { stdout, stderr } = spawnSync('zsh', args, { encoding: 'utf8', timeout: scaledMs(60_000) });
    expect(stderr).toBe('');
    return wordsOf(stdout);
  };
  it.each(cases)('$words', async ({ words, want }) => {
    expect(await complete(words)).toEqual(want);
  });
});

describeWith(['fish'], 'completion in fish', () => {
  const complete = async (words: readonly string[]): Promise<readonly string[]> => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'sno-install.fish'), await script('fish'));
    const ask = `source ${folder}/sno-install.fish; cd /proc/sys; complete -C ${JSON.stringify(['sno-install', ...words].join(' '))}`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', ask], { encoding: 'utf8' });
    expect(stderr).toBe('');
    // Each row is a word, a tab and a description.
    return stdout
      .split('\n')
      .map((row) => row.split('\t')[0] ?? '')
      .filter((word) => word !== '')
      .toSorted();
  };
  it.each(cases)('$words', async ({ words, want }) => {
    expect(await complete(words)).toEqual(want);
  });
});
