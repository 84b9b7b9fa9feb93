import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';

import { buildProgram } from '../../src/cli/program.js';
import { sno } from '../support/command.js';
import { leafCommands, wordsOf } from '../support/leaf-commands.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';

/** The manual pages and completion scripts of a package, in a separate folder. */
let folder = '';
beforeAll(() => {
  folder = scratchFolder();
  for (const path of ['scripts', 'dist', '.cache', 'node_modules'])
    symlinkSync(resolve(path), join(folder, path));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/manual.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

function nameOf(command: Command): string {
  return ['sno-install', ...wordsOf(command)].join('-');
}

describe('the manual', () => {
  const commands = leafCommands(buildProgram(() => undefined));

  it('has a page for each command, and for all of them', () => {
    const pages = readdirSync(join(folder, 'man')).toSorted();
    expect(pages).toEqual(['sno-install', ...commands.map(nameOf)].map((name) => `${name}.1`).toSorted());
    // npm links only the listed pages and accepts no folder.
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man: readonly string[] };
    expect(man).toEqual(pages.map((page) => `man/${page}`));
  });

  it.each(commands.map((command) => ({ name: nameOf(command), command })))(
    '$name has every option',
    ({ name, command }) => {
      const text = readFileSync(join(folder, 'man', `${name}.1`), 'utf8').replaceAll('\\-', '-');
      for (const { flags, hidden } of command.options) if (!hidden) expect(text).toContain(`.B ${flags}\n`);
      expect(text).toContain('\n.B --dir <dir>\n');
    },
  );
});

describeWith(['mandoc'], 'a page', () => {
  it('is accepted by mandoc, except for the missing date', () => {
    const pages = readdirSync(join(folder, 'man')).map((name) => join(folder, 'man', name));
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', ...pages], { encoding: 'utf8' });
    const faults = stdout.split('\n').filter((line) => !/WARNING: missing date|^$/.test(line));
    expect(faults).toEqual([]);
    expect(stdout.match(/missing date/g)).toHaveLength(pages.length);
  });

  it('prints text unchanged: hyphens, dots, quotes, non-ASCII characters', () => {
    const page = join(folder, 'man/sno-install-fleet-boot.1');
    const { stdout } = spawnSync('mandoc', ['-T', 'utf8', page], { encoding: 'utf8' });
    expect(stdout.replaceAll(/.\x08/g, '')).toContain(
      'sno-install fleet boot --dir fleet --check --identity ~/key.txt\n',
    );
  });
});

it.each(['bash', 'zsh', 'fish', 'powershell'])(
  'the completion script for %s is the output of the command',
  (shell) => {
    const names = {
      bash: 'sno-install',
      zsh: '_sno-install',
      fish: 'sno-install.fish',
      powershell: 'sno-install.ps1',
    };
    const path = join(folder, 'completion', names[shell as keyof typeof names]);
    expect(readFileSync(path, 'utf8')).toBe(sno(['completion', shell]).stdout);
  },
);
