import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { exitCodes } from '../src/cli/output/exit-codes.js';
import { buildProgram } from '../src/cli/program.js';
import { liveIso } from './media/support/live-iso.js';
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

/** Masks dates, and the compressed size, which depends on them. */
function normal(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'DATE')
    .replace(/(Embedded Ignition config: )\d+/g, '$1SIZE')
    .trim();
}

/** The compressed size in an output, in bytes; 0 if there is none. */
function embeddedBytes(output: string): number {
  return Number(/Embedded Ignition config: (\d+)/.exec(output)?.[1] ?? 0);
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
    writeFileSync(join(dir, 'rhcos-live.x86_64.iso'), liveIso({}, 'rhcos-421.96.202601011200-0'));

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
    expect(Math.abs(embeddedBytes(stdout) - embeddedBytes(output))).toBeLessThan(500);
  });

  it('has examples', () => {
    expect(examples().length).toBeGreaterThanOrEqual(3);
  });

  it('has at most 150 lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(151);
  });

  it('contains the Node.js version of package.json', () => {
    const [, major, minor] = /on a machine with Node (\d+) \((\d+\.\d+) or later\)/i.exec(readme) ?? [];
    expect([`>=${minor}`, minor?.split('.')[0]]).toEqual([packageJson.engines.node, major]);
  });

  it('lists the commands in the groups of --help', () => {
    const table = readme.slice(readme.indexOf('| group'));
    const rows = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| ([A-Z]\w+) +\| (.*?) +\|$/gm)];
    const listed = rows.flatMap(([, group, names = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${group}: ${name}`),
    );
    const { commands } = buildProgram(() => undefined);
    expect(listed).toEqual(commands.map((command) => `${command.helpGroup()} ${command.name()}`));
  });

  it('refers to a page with every exit code', () => {
    const page = readFileSync('docs/commands.md', 'utf8');
    for (const code of Object.values(exitCodes)) expect(page).toContain(`\n| ${code} | `);
    expect(readme).toContain('(docs/commands.md)');
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

  it('names the two commands that set everything up before the first example', () => {
    for (const command of ['npm run quickstart', 'npm test'])
      expect(readme.slice(0, readme.indexOf('## Quickstart'))).toContain(command);
  });
});
