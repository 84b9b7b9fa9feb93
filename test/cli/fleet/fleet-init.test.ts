import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { snapshot } from '../../support/command.js';
import { snoInProcess } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

const columns = ['ip', 'ntp', 'diskSerial', 'mac', 'prefix', 'dns', 'gateway'];

it('writes a fleet that is created once its placeholders are filled in', async () => {
  const cwd = scratchFolder();
  const made = await snoInProcess(['fleet', 'init', 'fleet'], { cwd });
  expect([made.code, made.stderr]).toEqual([0, '']);

  const first = await snoInProcess(['fleet', 'validate', 'fleet', '-o', 'json'], { cwd });
  const { problems } = JSON.parse(first.stdout) as {
    readonly problems: readonly {
      readonly at: { readonly file: string; readonly path: string };
      readonly hint?: string;
    }[];
  };
  expect(first.code).toBe(1);
  expect(problems.map(({ at }) => `${at.file} ${at.path}`)).toEqual([
    'fleet/base/install-config.yaml baseDomain',
    'fleet/sites.csv machineNetwork',
    'fleet/base/install-config.yaml sshKey',
    'fleet/base/sno-config.yaml pullSecretFile',
    ...columns.map((column) => `fleet/sites.csv ${column}`),
    'fleet/sites.csv machineNetwork',
    ...columns.map((column) => `fleet/sites.csv ${column}`),
  ]);
  const examples = problems.filter(({ at }) => at.file === 'fleet/sites.csv');
  expect(examples.map(({ hint }) => hint)).toEqual(examples.map(() => 'fill it in'));

  const fixture = readFileSync('fixtures/fleet/base/install-config.yaml', 'utf8');
  const [, pullSecret = ''] = /^pullSecret: '(.*)'$/m.exec(fixture) ?? [];
  const [sshKey = ''] = /^sshKey: .*$/m.exec(fixture) ?? [];
  edit(join(cwd, 'fleet/base/install-config.yaml'), [
    [/^baseDomain: .*$/m, 'baseDomain: example.com'],
    [/^sshKey: \|\n.*$/m, sshKey],
  ]);
  edit(join(cwd, 'fleet/sites.csv'), [[/[<>]/g, '']]);
  writeFileSync(join(cwd, 'fleet/base/pull-secret.json'), pullSecret);
  expect(await snoInProcess(['fleet', 'validate', 'fleet'], { cwd })).toEqual({
    code: 0,
    stdout: '2 sites: no problems found\n',
    stderr: '',
  });
  const created = await snoInProcess(['fleet', 'create', 'fleet', '--jobs', '1'], { cwd });
  expect([created.code, created.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  expect(existsSync(join(cwd, 'fleet/out/site-2/auth/kubeconfig'))).toBe(true);

  // Neither the pull secret nor a file with a key can be added by accident.
  git('init', '--quiet', join(cwd, 'fleet'));
  expect(git('-C', join(cwd, 'fleet'), 'status', '--short', '--untracked-files=all')).toEqual([
    '?? .gitignore',
    '?? README.md',
    '?? base/install-config.yaml',
    '?? base/sno-config.yaml',
    '?? fleet.yaml',
    '?? sites.csv',
  ]);
});

it('writes nothing if one of its files exists', async () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, 'sites.csv'), 'name\n');
  const before = snapshot(dir);

  const { code, stderr } = await snoInProcess(['fleet', 'init', dir]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('error[dir/file-exists]: ')]);
  expect(stderr).toContain(`${join(dir, 'sites.csv')} already exists`);
  expect(snapshot(dir)).toEqual(before);
});

it.each([
  { name: 'CRLF', text: 'node_modules/\r\n' },
  { name: 'no final newline', text: 'node_modules/' },
  { name: 'negations', text: '*.iso\n!/out/\n!*.ign\n!auth/\n' },
  { name: 'nothing', text: '' },
])('keeps the lines of a .gitignore with $name, and ignores secrets', async ({ text }) => {
  const dir = scratchFolder();
  git('init', '--quiet', dir);
  writeFileSync(join(dir, '.gitignore'), text);

  expect(await snoInProcess(['fleet', 'init', dir])).toMatchObject({ code: 0, stderr: '' });
  const ignored = readFileSync(join(dir, '.gitignore'), 'utf8');
  expect(ignored.startsWith(text)).toBe(true);
  expect(ignored.replaceAll('\r\n', '').includes('\n')).toBe(!text.includes('\r'));
  const secrets = ['out/a/x.ign', 'auth/kubeconfig', 'base/pull-secret.json', 'passphrase'];
  expect(git('-C', dir, 'check-ignore', ...secrets)).toEqual(secrets);
});

it('does not overwrite a .gitignore that is no text', async () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, '.gitignore'), Buffer.from([0xff, 0xfe]));
  expect((await snoInProcess(['fleet', 'init', dir])).stderr).toContain('.gitignore already exists');
});

function git(...args: readonly string[]): readonly string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).trimEnd().split('\n');
}

function edit(path: string, changes: readonly (readonly [RegExp, string])[]): void {
  const text = changes.reduce(
    (before, [from, to]) => {
      expect(before).toMatch(from);
      return before.replace(from, () => to);
    },
    readFileSync(path, 'utf8'),
  );
  writeFileSync(path, text);
}
