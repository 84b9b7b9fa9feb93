import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { sno, snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput, type ProcessOptions } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const pullSecret = /^pullSecret: '(.*)'$/m.exec(minimalInstallConfig)?.[1] ?? '';
const sshKey = /^sshKey: (.*)$/m.exec(minimalInstallConfig)?.[1] ?? '';
const withoutBoth = minimalInstallConfig.replace(/^(?:pullSecret|sshKey): .*\n/gm, '');

let state = '';
beforeAll(async () => {
  const clock = { clock: '2026-01-02T03:04:05.000Z' };
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig }, clock);
});

/** A directory with these files and a throwaway state. */
function site(files: Readonly<Record<string, string>>): string {
  const dir = scratchFolder();
  for (const [path, text] of Object.entries({ '.sno-install-state.json': state, ...files }))
    writeFileSync(join(dir, path), text, { mode: 0o600 });
  return dir;
}

function referring(body: string, more: Readonly<Record<string, string>> = {}): string {
  return site({ 'install-config.yaml': withoutBoth, 'sno-config.yaml': snoConfigText(body), ...more });
}

const creating = (dir: string): readonly string[] => ['create', 'single-node-ignition-config', '--dir', dir];
const create = (dir: string, surroundings: ProcessOptions): Promise<CommandOutput> =>
  snoInProcess(creating(dir), surroundings);

function outputsOf(dir: string): Readonly<Record<string, string>> {
  const files = Object.entries(snapshot(dir));
  return Object.fromEntries(files.filter(([path]) => /\.ign$|^auth\//.test(path)));
}

describe('an external pull secret and key', () => {
  const inFiles = (): string =>
    referring('pullSecretFile: pull.json\nsshKeyFile: core.pub\n', {
      'pull.json': `${pullSecret}\n`,
      'core.pub': `${sshKey}\n`,
    });

  it('make the same outputs as in install-config.yaml, and are inputs like others', async () => {
    const inline = site({
      'install-config.yaml': minimalInstallConfig,
      'sno-config.yaml': snoConfigText(''),
    });
    const dir = inFiles();
    const at = { variables: { SOURCE_DATE_EPOCH: '1767323045' } };
    expect([await create(inline, at), await create(dir, at)]).toMatchObject([{ code: 0 }, { code: 0 }]);
    const [ofInline, made] = [outputsOf(inline), outputsOf(dir)];
    expect(Object.keys(made)).toEqual(Object.keys(ofInline));
    expect(Object.keys(made).filter((path) => made[path] !== ofInline[path])).toEqual([]);

    const before = JSON.stringify(snapshot(dir));
    const again = await create(dir, at);
    expect([again.code, JSON.stringify(snapshot(dir)) === before]).toEqual([0, true]);
    writeFileSync(join(dir, 'core.pub'), `${sshKey}-of-another-name\n`);
    await create(dir, at);
    const config = readFileSync(join(dir, 'bootstrap-in-place-for-live-iso.ign'), 'utf8');
    expect(config.includes('throwaway-of-another-name')).toBe(true);
  });

  it('come from stdin and the environment', () => {
    const dir = referring('pullSecretFile: "-"\nsshKeyFile: env:CORE_KEY\n');
    const variables = { CORE_KEY: sshKey };

    const made = sno(creating(dir), { input: pullSecret, variables });
    const before = JSON.stringify(snapshot(dir));
    const again = sno(creating(dir), { input: pullSecret, variables });
    const without = sno(creating(dir), { input: '' });

    expect([made.code, again.code, JSON.stringify(snapshot(dir)) === before]).toEqual([0, 0, true]);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('the pullSecretFile on stdin is empty');
    expect(without.stderr).toContain('the sshKeyFile "env:CORE_KEY" is not set');
  });

  it('have stdin for one of them, or for an option', () => {
    const both = referring('pullSecretFile: "-"\nsshKeyFile: "-"\n');
    const one = referring('pullSecretFile: "-"\nsshKeyFile: core.pub\n', { 'core.pub': sshKey });
    rmSync(join(one, '.sno-install-state.json'));

    expect(sno(['validate', '--dir', both], { input: pullSecret }).stderr).toContain(
      'the sshKeyFile on stdin cannot be read: pullSecretFile has already read it',
    );
    expect(sno(['validate', '--dir', one, '--state', '-'], { input: state }).stderr).toContain(
      'the pullSecretFile on stdin cannot be read: --state has already read it',
    );
    const sites = sno(['validate', one, one], { input: pullSecret });
    expect([sites.code, sites.stderr]).toEqual([0, '']);
  });

  it('are read from regular files alone, of some size', async () => {
    const dir = referring('pullSecretFile: pull\nsshKeyFile: keys\n', {
      keys: `# ${'x'.repeat(1024 * 1024)}\n`,
    });
    expect(spawnSync('mkfifo', [join(dir, 'pull')]).status).toBe(0);
    const { code, stderr } = await snoInProcess(['validate', '--dir', dir]);

    expect(code).toBe(1);
    expect(stderr).toContain('the pullSecretFile "pull" cannot be read: it is not a regular file');
    expect(stderr).toContain('the sshKeyFile "keys" cannot be read: it is larger than 1048576 bytes');
  });

  it('are named by `why`, in golden trees by their registries, and of a revision as they are now', async () => {
    const dir = inFiles();
    const tree = join(dir, 'golden');
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      expect(spawnSync('git', ['-C', dir, ...identity, ...args]).status).toBe(0);
    };
    rmSync(join(dir, '.sno-install-state.json'));
    writeFileSync(join(dir, '.gitignore'), 'pull.json\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'first');

    const why = await snoInProcess(['why', '/root/.docker/config.json', '--dir', dir]);
    const golden = await snoInProcess(['golden', '--dir', dir, '--out', tree]);
    const diff = await snoInProcess(['diff', dir, '--against', 'main']);

    expect([why.code, golden.code, golden.stderr]).toEqual([0, 0, '']);
    expect(why.stdout).toContain(`${join(dir, 'sno-config.yaml')}:3: pullSecretFile (pull.json)`);
    const login = join(tree, 'bootstrap-in-place-for-live-iso.ign.d/root/.docker/config.json');
    expect(readFileSync(login, 'utf8')).toContain('quay.io');
    expect([diff.code, diff.stderr]).toEqual([0, '']);
    writeFileSync(join(dir, 'core.pub'), `${sshKey}-new\n`);
    mkdirSync(join(dir, 'elsewhere'));
    const changed = await snoInProcess(['diff', dir, '--against', 'main']);
    expect([changed.code, changed.stdout.includes('sshAuthorizedKeys')]).toEqual([1, true]);
  });
});
