import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { signerCatalog } from '../../src/pki/installer-catalog.js';
import { liveIso } from '../media/support/live-iso.js';
import { ageKeys } from '../support/age-keys.js';
import { sno, snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const stateName = '.sno-install-state.json';
const rootKey = 'key/rsa-2048/tls/root-ca';

interface StateText {
  readonly generatedValues: Readonly<Record<string, string>>;
  readonly externalValueHashes?: Readonly<Record<string, string>>;
}

let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
});

/** A site, and a file outside it in place of a secret store. */
function site(files: Readonly<Record<string, string>> = {}): {
  readonly dir: string;
  readonly vault: string;
} {
  const dir = scratchFolder();
  const vault = join(scratchFolder(), 'vault.json');
  for (const [name, text] of Object.entries({ 'install-config.yaml': minimalInstallConfig, ...files }))
    writeFileSync(join(dir, name), text, { mode: 0o600 });
  writeFileSync(vault, state);
  return { dir, vault };
}

const create = (dir: string, command: string, ...more: readonly string[]): Promise<CommandOutput> =>
  snoInProcess(['create', 'single-node-ignition-config', '--dir', dir, '--state-command', command, ...more]);

const stored = (dir: string): string => readFileSync(join(dir, stateName), 'utf8');
const failing = (code: string): object => ({
  code: 1,
  stderr: expect.stringContaining(`error[${code}]`) as string,
});

describe('a state that a command gives', () => {
  it('generates the outputs, and writes no key to the directory', async () => {
    const { dir, vault } = site();

    const made = await create(dir, `cat '${vault}'`);
    const once = snapshot(dir);
    const again = await create(dir, `cat ${vault}`);

    expect([made.code, made.stderr, again.code, snapshot(dir)]).toEqual([0, '', 0, once]);
    const { generatedValues, externalValueHashes } = JSON.parse(stored(dir)) as StateText;
    expect(
      Object.keys(generatedValues).filter((label) => !/^(clock$|size\/|signature\/)/.test(label)),
    ).toEqual([]);
    expect(externalValueHashes?.[rootKey]).toMatch(/^[0-9a-f]{64}$/);
    expect(stored(dir)).not.toContain('PRIVATE');
    expect(await create(dir, `cat ${vault}`, '--renew')).toMatchObject({ code: 0, stderr: '' });
  });

  it('is required again, with the same content', async () => {
    const { dir, vault } = site();
    await create(dir, `cat ${vault}`);
    const before = snapshot(dir);
    const { generatedValues, ...rest } = JSON.parse(state) as StateText;
    const other = { ...rest, generatedValues: { ...generatedValues, 'text/infra-id': 'abcde' } };

    const without = await snoInProcess(['create', 'manifests', '--dir', dir]);
    const judged = await snoInProcess(['validate', '--dir', dir]);
    writeFileSync(vault, JSON.stringify(other));
    const changed = await create(dir, `cat ${vault}`);

    expect(without).toMatchObject(failing('state/kept-elsewhere'));
    expect(judged).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^warning\[state\/not-read\]: .*: its keys are stored elsewhere\n/,
      ) as string,
    });
    expect(changed).toMatchObject(failing('dir/state-conflict'));
    expect(snapshot(dir)).toEqual(before);
  });

  it('reports missing keys, also in validate, and generates none', async () => {
    const { dir, vault } = site();
    const { generatedValues, ...rest } = JSON.parse(state) as StateText;
    const others = Object.fromEntries(Object.entries(generatedValues).filter(([label]) => label !== rootKey));
    writeFileSync(vault, JSON.stringify({ ...rest, generatedValues: others }));
    const before = snapshot(dir);

    const made = await create(dir, `cat ${vault}`);
    const judged = await snoInProcess(['validate', '--dir', dir, '--state-command', `cat ${vault}`]);

    for (const result of [made, judged]) {
      expect(result).toMatchObject(failing('state/nowhere-to-keep'));
      expect(result.stderr).toContain(`${rootKey} is not in --state-command`);
    }
    expect(snapshot(dir)).toEqual(before);
  });

  it('conflicts with a plain state with keys, and is stored complete if encrypted', async () => {
    const { dir, vault } = site({ [stateName]: state });
    const { recipient, identity } = ageKeys.ours;

    expect(await create(dir, `cat ${vault}`)).toMatchObject(failing('state/plain-beside'));
    rmSync(join(dir, stateName));
    expect(await create(dir, `cat ${vault}`, '--recipient', recipient)).toMatchObject({
      code: 0,
      stderr: '',
    });
    writeFileSync(join(dir, 'key.txt'), identity);

    expect(stored(dir)).toMatch(/^-----BEGIN AGE/);
    expect(await snoInProcess(['validate', '--dir', dir, '--identity', join(dir, 'key.txt')])).toMatchObject({
      code: 0,
    });
  });

  const cases = [
    { name: 'with a shell in it', command: 'cat a | jq .', says: 'has a | in it', want: 'state/command' },
    { name: 'that is not there', command: 'no-such-program', says: 'does not exist', want: 'state/command' },
    { name: 'that says nothing', command: 'true', says: 'prints nothing', want: 'state/command' },
    {
      name: 'that fails',
      command: `sh -c 'echo no login >&2; exit 3'`,
      says: 'ended with 3: no login',
      want: 'state/command',
    },
    {
      name: 'that prints something else',
      command: 'echo hi',
      says: 'it is not JSON',
      want: 'dir/state-unreadable',
    },
  ];
  it.each(cases)('a command $name is a problem', async ({ command, says, want }) => {
    const { dir } = site();

    const result = await create(dir, command);

    expect(result).toMatchObject(failing(want));
    expect(result.stderr).toContain(says);
  });

  it('prints no secret from the output of a failed command', async () => {
    const { dir } = site();
    const { identity } = ageKeys.ours;

    const result = await create(dir, `sh -c 'echo bad ${identity} >&2; exit 1'`);

    expect(result).toMatchObject(failing('state/command'));
    expect(result.stderr).not.toContain(identity.slice(16, 40));
  });
});

describe('a state on stdin', () => {
  it('is read once, also by commands that read their inputs twice, and from one option only', () => {
    const { dir } = site();
    writeFileSync(join(dir, 'live.iso'), liveIso());
    const iso = ['create', 'single-node-iso', '--iso', 'live.iso', '--state', '-'];

    const twice = sno([...iso, '--identity', '-'], { cwd: dir, input: state });
    expect(twice).toMatchObject({ code: 2, stdout: '' });
    expect(twice.stderr).toContain('--identity - cannot be read: --state has already read it');
    expect(sno([...iso, '--state-command', 'true'], { cwd: dir, input: state })).toMatchObject({ code: 2 });
    expect(sno(iso, { cwd: dir, input: state })).toMatchObject({ code: 0 });
    expect(stored(dir)).not.toContain('PRIVATE');
  });
});

describe('state prune --authorities', () => {
  it('prunes the first-boot signers, and later runs report it if they need them', async () => {
    const { dir } = site({ [stateName]: state });
    const make = ['create', 'single-node-ignition-config', '--dir', dir];
    await snoInProcess(make);
    const outputs = (): object => ({ ...snapshot(dir), [stateName]: '' });
    const before = outputs();
    const signers = Object.keys(signerCatalog).map((name) => `key/rsa-2048/tls/${name}`);
    const had = Object.keys((JSON.parse(stored(dir)) as StateText).generatedValues);
    expect(had).toEqual(expect.arrayContaining(signers));

    const pruned = await snoInProcess(['state', 'prune', '--authorities', '--dir', dir]);
    const again = await snoInProcess(make);

    const { generatedValues } = JSON.parse(stored(dir)) as StateText;
    expect([pruned.code, again.code, again.stderr]).toEqual([0, 0, '']);
    expect(Object.keys(generatedValues)).toEqual(had.filter((label) => !signers.includes(label)));
    expect(outputs()).toEqual(before);
    writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText('ntpSources: [time.example.com]\n'));
    for (const command of [make, ['validate', '--dir', dir]]) {
      const result = await snoInProcess(command);
      expect(result).toMatchObject(failing('state/pruned'));
      expect(result.stderr).toContain('key/rsa-2048/tls/admin-kubeconfig-signer');
    }
    expect(outputs()).toMatchObject(before);
  });

  it('leaves an encrypted state encrypted', async () => {
    const { recipient, identity } = ageKeys.ours;
    const { dir } = site({ [stateName]: state, 'key.txt': identity });
    await snoInProcess(['state', 'encrypt', '--dir', dir, '--recipient', recipient]);
    const opened = ['--dir', dir, '--identity', join(dir, 'key.txt')];

    expect(await snoInProcess(['state', 'prune', '--authorities', ...opened])).toMatchObject({
      code: 0,
      stderr: '',
    });

    expect(stored(dir)).toMatch(/^-----BEGIN AGE/);
    const { stdout } = await snoInProcess(['state', 'decrypt', '--out', '-', ...opened]);
    expect(stdout).not.toContain(`"${rootKey}": "-`);
  });
});
