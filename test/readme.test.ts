import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { exitCodes } from '../src/cli/output/exit-codes.js';
import { folderWithCommand } from './support/page-commands.js';
import { scratchFolder } from './support/scratch.js';
import { throwawayState } from './support/throwaway-state.js';

const readme = readFileSync('README.md', 'utf8');
const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

interface Example {
  /** The config that the commands use. */
  readonly config: string;
  readonly command: string;
  /** The output in the README: stderr and stdout in terminal order. */
  readonly output: string;
}

/** Commands in `console` blocks. A comment before a block names their config. */
function examples(): readonly Example[] {
  const blocks = [...readme.matchAll(/<!-- run with (\S+) -->\n\n```console\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, config = '', block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return { config, command: part.slice(0, end), output: part.slice(end + 1).trim() };
      }),
  );
}

/** Masks dates, and the last digit of the compressed size, which depends on them. */
function normal(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'DATE')
    .replace(/(compressed: at most )[\d.]+ kB/g, '$1SIZE')
    .trim();
}

/** The compressed size in an output, in kB; 0 if there is none. */
function embeddedKb(output: string): number {
  return Number(/compressed: at most ([\d.]+) kB/.exec(output)?.[1] ?? 0);
}

describe('the README', () => {
  const bin = folderWithCommand();

  // One state, since the length of keys varies.
  let state = '';
  beforeAll(async () => {
    const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
    state = await throwawayState({ 'install-config.yaml': config });
  });

  it.each(examples())('shows the output of `$command`', ({ config, command, output }) => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'site1'));
    copyFileSync(config, join(dir, 'site1/install-config.yaml'));
    writeFileSync(join(dir, 'site1/.sno-install-state.json'), state, { mode: 0o600 });

    const { stdout } = spawnSync('sh', ['-c', `exec 2>&1; ${command}`], {
      cwd: dir,
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    });

    if (process.env['UPDATE_GOLDEN'] === '1' && normal(stdout) !== normal(output)) {
      writeFileSync(
        'README.md',
        readFileSync('README.md', 'utf8').replace(output, () => stdout.trim()),
      );
    }
    expect(normal(stdout)).toBe(normal(output));
    // The certificate dates of the run change the compressed size by a few bytes.
    expect(Math.abs(embeddedKb(stdout) - embeddedKb(output))).toBeLessThan(0.5);
  });

  it('has examples', () => {
    expect(examples().length).toBeGreaterThanOrEqual(4);
  });

  it('contains the Node.js version of package.json and every exit code', () => {
    const [, major, minor] = /on a machine with Node (\d+) \((\d+\.\d+) or later\)/i.exec(readme) ?? [];
    expect([`>=${minor}`, minor?.split('.')[0]]).toEqual([packageJson.engines.node, major]);

    const table = readme.slice(readme.indexOf('| exit code'));
    const codes = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| ([\d, ]+?) +\|/gm)];
    const stopped = [constants.signals.SIGINT, constants.signals.SIGTERM].map((signal) => 128 + signal);
    expect(codes.flatMap(([, cell = '']) => cell.split(', ').map(Number))).toEqual([
      ...Object.values(exitCodes),
      ...stopped,
    ]);
  });

  it('shows files as they are', () => {
    const shown = [...readme.matchAll(/<!-- file (\S+) -->\n\n```\w+\n([\s\S]*?)```/g)];
    expect(shown.length).toBeGreaterThan(0);
    for (const [, path = '', text] of shown) expect(text).toBe(readFileSync(path, 'utf8'));
  });

  it('names scripts and files that are there', () => {
    for (const [, script = ''] of readme.matchAll(/npm (?:run )?(quickstart|test|bench|[a-z]+:[a-z]+)\b/g)) {
      expect(packageJson.scripts).toHaveProperty([script]);
    }
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('opens with the two commands', () => {
    expect(readme.indexOf('npm run quickstart')).toBeLessThan(1200);
    expect(readme.indexOf('npm test')).toBeLessThan(1200);
  });
});
