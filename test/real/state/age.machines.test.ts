import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { success } from '../../../src/core/result.js';
import { emptyState, serializeState } from '../../../src/disk/state/state-file.js';
import { parseState } from '../../../src/disk/state/state-text.js';
import { sno } from '../../support/command.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { keys, runOnTerminal } from '../../support/on-terminal.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { buildTimeoutMs, toolFolder } from '../control-plane/support/tools.js';

const stateName = '.sno-install-state.json';
const plain = serializeState({ ...emptyState, generatedValues: { 'uuid/cluster': 'canary-of-the-state' } });
const passphrase = 'a passphrase of tests';

let tools = '';

/** Runs an age program. Its plugin batchpass reads passphrases from the environment. */
function age(program: string, args: readonly string[], cwd: string): string {
  const env = { PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}`, AGE_PASSPHRASE: passphrase };
  const { status, stdout, stderr } = spawnSync(join(tools, program), args, { cwd, env, encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A folder with keys of two people, post-quantum keys of a third one, and a passphrase. */
function people(): { readonly dir: string; readonly recipients: Readonly<Record<'a' | 'b' | 'pq', string>> } {
  const dir = scratchFolder();
  for (const name of ['a', 'b', 'pq'])
    age('age-keygen', [...(name === 'pq' ? ['-pq'] : []), '-o', `${name}.key`], dir);
  writeFileSync(join(dir, 'passphrase'), `${passphrase}\n`);
  const recipientOf = (name: string): string => age('age-keygen', ['-y', `${name}.key`], dir).trim();
  return { dir, recipients: { a: recipientOf('a'), b: recipientOf('b'), pq: recipientOf('pq') } };
}

describeWith(['go', 'script'], 'the state and the real age', () => {
  beforeAll(async () => {
    tools = await toolFolder('age');
  }, buildTimeoutMs);

  const identities = {
    a: ['-i', 'a.key'],
    b: ['-i', 'b.key'],
    pq: ['-i', 'pq.key'],
    by: ['-j', 'batchpass'],
  };

  test.each([
    { name: 'one recipient', to: ['a'], readers: ['a'] },
    { name: 'several recipients', to: ['a', 'b'], readers: ['a', 'b'] },
    { name: 'a recipient of post-quantum keys', to: ['pq'], readers: ['pq'] },
    { name: 'a passphrase', to: [], readers: ['by'] },
  ] as const)('age decrypts a state for $name', ({ to, readers }) => {
    const { dir, recipients } = people();
    writeFileSync(join(dir, stateName), plain, { mode: 0o600 });
    const named = to.flatMap((name) => ['--recipient', recipients[name]]);
    const by = to.length === 0 ? ['--passphrase-file', 'passphrase'] : named;

    expect(sno(['state', 'encrypt', ...by], { cwd: dir })).toMatchObject({ code: 0, stderr: '' });

    for (const reader of readers) {
      const opened = JSON.parse(age('age', ['-d', ...identities[reader], stateName], dir)) as object;
      expect(opened).toMatchObject({ generatedValues: { 'uuid/cluster': 'canary-of-the-state' } });
    }
    expect(readFileSync(join(dir, stateName), 'utf8')).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
  });

  test.each([
    { name: 'one recipient', to: ['a'], reader: 'a', armor: true },
    { name: 'one recipient, in bytes', to: ['a'], reader: 'a', armor: false },
    { name: 'several recipients', to: ['b', 'a'], reader: 'a', armor: true },
    { name: 'several recipients, in bytes', to: ['b', 'a'], reader: 'b', armor: false },
    { name: 'a recipient of post-quantum keys', to: ['pq'], reader: 'pq', armor: true },
    { name: 'a passphrase', to: [], reader: 'by', armor: true },
    { name: 'a passphrase, in bytes', to: [], reader: 'by', armor: false },
  ] as const)('decrypts a file that age encrypted to $name', ({ to, reader, armor }) => {
    const { dir, recipients } = people();
    writeFileSync(join(dir, 'plain.json'), plain);
    const by = to.length === 0 ? identities.by : to.flatMap((name) => ['-r', recipients[name]]);
    age('age', ['-e', ...(armor ? ['-a'] : []), ...by, '-o', stateName, 'plain.json'], dir);
    spawnSync('chmod', ['600', stateName], { cwd: dir });

    const keys = reader === 'by' ? ['--passphrase-file', 'passphrase'] : ['--identity', `${reader}.key`];
    const read = sno(['state', 'decrypt', '--out', '-', ...keys], { cwd: dir });

    expect(read).toEqual({ code: 0, signal: null, stdout: plain, stderr: '' });
  });

  test('age decrypts encrypted outputs and the other way round', () => {
    const { dir, recipients } = people();
    writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
    const create = ['create', 'single-node-ignition-config', '--identity', 'a.key'];
    const encrypt = ['--recipient', recipients.a, '--encrypt-outputs'];

    expect(sno([...create, ...encrypt], { cwd: dir })).toMatchObject({ code: 0, stderr: '' });
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.age'))
      .toSorted();
    const read = names.map((name) => age('age', ['-d', ...identities.a, name], dir));
    sno([...create, '--no-encrypt-outputs'], { cwd: dir });
    age('age', ['-e', '-r', recipients.a, '-o', 'theirs.ign.age', 'worker.ign'], dir);

    expect(names).toEqual([
      'auth/kubeadmin-password.age',
      'auth/kubeconfig.age',
      'bootstrap-in-place-for-live-iso.ign.age',
      'worker.ign.age',
    ]);
    expect(read).toEqual(names.map((name) => readFileSync(join(dir, name.replace(/\.age$/, '')), 'utf8')));
    const inspected = sno(['inspect', 'theirs.ign.age', '--identity', 'a.key'], { cwd: dir });
    expect(inspected).toMatchObject({ code: 0, stderr: '' });
  });

  test('age reads outputs that are encrypted by a passphrase', () => {
    const { dir } = people();
    writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
    const by = ['--passphrase-file', 'passphrase', '--encrypt-outputs'];

    expect(sno(['create', 'single-node-ignition-config', ...by], { cwd: dir })).toMatchObject({ code: 0 });

    expect(age('age', ['-d', ...identities.by, 'worker.ign.age'], dir)).toContain('"ignition"');
  });

  test('age decrypts with a typed passphrase and the other way round', async () => {
    const { dir } = people();
    const line = `${passphrase}${keys.enter}`;
    writeFileSync(join(dir, stateName), plain, { mode: 0o600 });

    const encrypted = await runOnTerminal(['state', 'encrypt', '--passphrase'], [line, line], dir);
    age('age', ['-d', ...identities.by, '-o', 'opened.json', stateName], dir);
    age('age', ['-e', '-a', ...identities.by, '-o', 'theirs.json', 'opened.json'], dir);
    const opening = ['state', 'decrypt', '--state', 'theirs.json', '--out', 'again.json'];
    const opened = await runOnTerminal(opening, [line], dir);
    const wrong = await runOnTerminal(opening, [`x${line}`], dir);
    const rotated = await runOnTerminal(
      ['state', 'rotate', '--passphrase', '--state', 'theirs.json'],
      [line, `new${keys.enter}`, `new${keys.enter}`],
      dir,
    );

    expect([encrypted.code, opened.code, wrong.code, rotated.code]).toEqual([0, 0, 1, 0]);
    expect(encrypted.shown).toMatch(/New passphrase: \r?\nRepeat the passphrase: \r?\n.*Encrypted/s);
    expect(opened.shown.match(/Passphrase for \S*theirs\.json: /g)).toHaveLength(1);
    expect(`${encrypted.shown}${opened.shown}${rotated.shown}`).not.toContain(passphrase);
    expect(wrong.shown).toContain('error[state/wrong-identity]');
    const again = parseState(readFileSync(join(dir, 'again.json'), 'utf8'), 'again.json');
    const before = parseState(plain, stateName);
    expect(again).toEqual(before.ok && success({ ...before.value, mustResealOutputs: true }));
    expect(() => age('age', ['-d', ...identities.by, 'theirs.json'], dir)).toThrow();
  });

  test('an identity file that age encrypted with a passphrase opens the state', async () => {
    const { dir, recipients } = people();
    writeFileSync(join(dir, stateName), plain, { mode: 0o600 });
    age('age', ['-e', '-a', ...identities.by, '-o', 'a.key.age', 'a.key'], dir);
    sno(['state', 'encrypt', '--recipient', recipients.a], { cwd: dir });
    const read = ['state', 'decrypt', '--out', '-', '--identity', 'a.key.age'];

    expect(sno(read, { cwd: dir })).toMatchObject({ code: 1, stdout: '' });
    expect(sno([...read, '--passphrase-file', 'passphrase'], { cwd: dir })).toMatchObject({ code: 0 });
    const result = await runOnTerminal(read, [`${passphrase}${keys.enter}`], dir);
    expect(result).toMatchObject({ code: 0, shown: expect.stringContaining('canary') as string });
    const byStdin = sno([...read, '--passphrase-file', '-'], { cwd: dir, input: passphrase });
    expect(byStdin).toMatchObject({ code: 0 });
  });
});
