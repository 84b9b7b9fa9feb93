import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

function site(): string {
  const dir = join(scratchFolder(), 'site1');
  cpSync('fixtures/configs/minimal', dir, { recursive: true });
  return dir;
}

describe('--help', () => {
  it('lists each command in a group, on one line of at most 80 columns', async () => {
    const { stdout } = await snoInProcess(['--help']);
    const lines = stdout.slice(stdout.indexOf('Configure:'), stdout.indexOf('Examples:')).trim().split('\n');

    expect(lines.filter((line) => line.endsWith(':'))).toEqual(
      ['Configure', 'Build', 'Review', 'Install', 'Fleet', 'Advanced'].map((group) => `${group}:`),
    );
    const commands = lines.filter((line) => line !== '' && !line.endsWith(':'));
    expect(commands.map((line) => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining(['import', 'create', 'diff', 'serve', 'fleet', 'enrich', 'help']),
    );
    for (const line of commands) expect(line).toMatch(/^ {2}[a-z-]+ +[A-Z][^.]{10,}\.$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('a directory as an argument', () => {
  it('is the same as --dir', async () => {
    const dir = site();
    const args = ['create', 'manifests'];

    expect((await snoInProcess([...args, dir])).code).toBe(0);
    expect(existsSync(join(dir, 'manifests'))).toBe(true);
    const named = await snoInProcess(['images', '--dir', dir, '-o', 'json']);
    expect(await snoInProcess(['images', dir, '-o', 'json'])).toEqual(named);
  });

  it('is refused together with --dir', async () => {
    expect(await snoInProcess(['images', 'a', '--dir', 'b'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("given twice, as an argument and with '--dir'") as string,
    });
  });

  it.each([
    { args: ['validate'], use: 'sno-install validate' },
    { args: ['create', 'ignition'], use: 'sno-install create single-node-ignition-config' },
    { args: ['fleet', 'status'], use: 'sno-install fleet status' },
  ])('$args: a file in it is answered by the command to type', async ({ args, use }) => {
    const dir = site();
    const { code, stderr } = await snoInProcess([...args, join(dir, 'install-config.yaml')]);

    expect([code, stderr]).toEqual([2, expect.stringContaining(`is a file, use: \`${use} ${dir}\``)]);
  });
});

describe('--output yaml', () => {
  it.each([
    { args: ['version'] },
    { args: ['explain', 'networking'] },
    { args: ['graph'] },
    { args: ['validate', 'SITE'] },
    { args: ['images', 'SITE'] },
  ])('$args prints the object of --output json', async ({ args }) => {
    const dir = site();
    const run = (format: string) =>
      snoInProcess([...args.map((arg) => (arg === 'SITE' ? dir : arg)), '-o', format]);
    const [yaml, json] = [await run('yaml'), await run('json')];
    const { documents, faults } = readYaml(yaml.stdout);

    expect([faults, yaml.code]).toEqual([[], json.code]);
    expect(documents[0] && toData(documents[0])).toEqual(JSON.parse(json.stdout));
  });
});

describe('a usage error as data', () => {
  it.each(['-o json', '--output=json', '-o yaml', '--output yaml'])(
    '%s names the help of the command',
    async (option) => {
      const { code, stdout, stderr } = await snoInProcess([
        'fleet',
        'create',
        '--jbos',
        '2',
        ...option.split(' '),
      ]);

      expect([code, stderr]).toEqual([2, '']);
      expect(stdout).toMatch(
        /hint"?: .*Did you mean --jobs\?.*run `sno-install fleet create --help` for usage/,
      );
    },
  );
});

describe('a file as an argument or as --file', () => {
  it.each(['inspect', 'analyze'])('%s takes one of the two', async (command) => {
    const run = (...args: readonly string[]) => snoInProcess([command, ...args]);
    const [argument, option] = [await run('missing'), await run('-f', 'missing')];
    const [both, none] = [await run('missing', '-f', 'missing'), await run()];

    expect(argument).toEqual(option);
    expect(argument.stderr).toContain('missing');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('given twice')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('missing required argument')]);
  });
});

describe('short names', () => {
  it.each(['ignition', 'aio', 'iso', 'pxe'])('create %s is an alias', async (name) => {
    const { code, stdout } = await snoInProcess(['create', name, '--help']);

    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Usage: sno-install create [a-z-]+\\|${name} `)),
    ]);
  });

  it('fleet serve has the options of serve without --fleet', async () => {
    const optionsOf = async (args: readonly string[]): Promise<readonly string[]> =>
      (await snoInProcess([...args, '--help'])).stdout.match(/^ +--[a-z-]+/gm) ?? [];
    const [own, ofFleet] = [await optionsOf(['serve']), await optionsOf(['fleet', 'serve'])];

    expect(ofFleet).toEqual(own.filter((option) => option.trim() !== '--fleet'));
    expect(ofFleet.length).toBeGreaterThan(20);
  });
});
