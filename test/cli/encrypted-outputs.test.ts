import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { decryptAge } from '../../src/formats/age.js';
import { liveIso } from '../media/support/live-iso.js';
import { ageKeys } from '../support/age-keys.js';
import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const { ours, others } = ageKeys;
const encrypting = snoConfigText(`state: { recipients: [${ours.recipient}], encryptOutputs: true }\n`);
const secretOutputs = [
  'auth/kubeadmin-password',
  'auth/kubeconfig',
  'bootstrap-in-place-for-live-iso.ign',
  'worker.ign',
];

let state = '';
let variables: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
  // Fixed, so that two sites issue their certificates in the same second.
  variables = { SOURCE_DATE_EPOCH: String(Math.floor(Date.now() / 1000)) };
});

const run = (args: readonly string[]): Promise<CommandOutput> => snoInProcess(args, { variables });

function site(files: Readonly<Record<string, string>> = {}): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  const all = {
    'install-config.yaml': minimalInstallConfig,
    '.sno-install-state.json': state,
    '../ours.key': `${ours.identity}\n`,
    '../others.key': `${others.identity}\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(dir, name), text, { mode: 0o600 });
  return dir;
}

const opening = (dir: string): readonly string[] => ['--identity', join(dir, '../ours.key')];
const create = (dir: string, ...more: readonly string[]): Promise<CommandOutput> =>
  run(['create', 'single-node-ignition-config', '--dir', dir, ...opening(dir), ...more]);

/** Secret outputs in a directory, as plain text and encrypted. */
function there(dir: string): { readonly plain: readonly string[]; readonly encrypted: readonly string[] } {
  return {
    plain: secretOutputs.filter((path) => existsSync(join(dir, path))),
    encrypted: secretOutputs.filter((path) => existsSync(join(dir, `${path}.age`))),
  };
}

/** The decrypted contents of an output. */
async function opened(
  dir: string,
  path: string,
  { identity }: { readonly identity: string } = ours,
): Promise<string> {
  const found = await decryptAge(readFileSync(join(dir, `${path}.age`)), {
    identities: [identity],
    passphrases: [],
  });
  return 'bytes' in found ? Buffer.from(found.bytes).toString('utf8') : found.fault;
}

const done = { code: 0, stderr: '' };
const failing = (code: string): object => ({
  code: 1,
  stderr: expect.stringContaining(`error[${code}]`) as string,
});

describe('with encryptOutputs', () => {
  it('encrypts outputs with secrets, and does not write unchanged ones again', async () => {
    const [dir, plain] = [site({ 'sno-config.yaml': encrypting }), site()];

    const made = await create(dir);
    const once = snapshot(dir);
    await create(plain);
    const again = await create(dir);

    expect([made, again]).toMatchObject([done, done]);
    expect(there(dir)).toEqual({ plain: [], encrypted: secretOutputs });
    for (const path of secretOutputs)
      expect(await opened(dir, path), path).toBe(readFileSync(join(plain, path), 'utf8'));
    expect(snapshot(dir)).toEqual(once);
    expect(readFileSync(join(dir, 'metadata.json'))).toEqual(readFileSync(join(plain, 'metadata.json')));
  });

  it('those of before are removed, and come back with --no-encrypt-outputs; without a word it stays', async () => {
    const dir = site({ 'sno-config.yaml': encrypting.replace(', encryptOutputs: true', '') });
    await create(dir);
    const plain = snapshot(join(dir, 'auth'));

    expect(await create(dir, '--encrypt-outputs')).toMatchObject(done);
    expect(there(dir)).toEqual({ plain: [], encrypted: secretOutputs });
    const once = snapshot(dir);
    expect(await create(dir)).toMatchObject(done);
    expect(snapshot(dir)).toEqual(once);

    expect(await create(dir, '--no-encrypt-outputs')).toMatchObject(done);
    expect(snapshot(join(dir, 'auth'))).toEqual(plain);
    expect(await create(dir)).toMatchObject(done);
    expect(there(dir)).toEqual({ plain: secretOutputs, encrypted: [] });
  });

  it('keeps changed outputs, encrypted or not', async () => {
    const dir = site({ 'sno-config.yaml': encrypting.replace('encryptOutputs: true', '') });
    await create(dir);
    writeFileSync(join(dir, 'auth/kubeconfig'), 'mine');
    const before = snapshot(dir);

    const on = await create(dir, '--encrypt-outputs');

    expect(on).toMatchObject(failing('dir/output-edited'));
    expect(on.stderr).toContain('auth/kubeconfig was edited after it was written');
    expect(snapshot(dir)).toEqual(before);
    rmSync(join(dir, 'auth/kubeconfig'));
    await create(dir, '--encrypt-outputs');
    writeFileSync(join(dir, 'worker.ign.age'), readFileSync(join(dir, 'auth/kubeconfig.age')));
    expect(await create(dir)).toMatchObject(failing('dir/output-edited'));
    expect(await create(dir, '--no-encrypt-outputs')).toMatchObject(failing('dir/output-edited'));
  });

  it('keeps a plain file of another origin', async () => {
    const dir = site({ 'sno-config.yaml': encrypting });
    await create(dir);
    writeFileSync(join(dir, 'auth/kubeconfig'), await opened(dir, 'auth/kubeconfig'));

    expect(await create(dir, '--renew')).toMatchObject(done);

    expect(there(dir)).toEqual({ plain: ['auth/kubeconfig'], encrypted: secretOutputs });
  });

  it('other recipients get them by the next run, also after `state rotate`', async () => {
    const dir = site({ 'sno-config.yaml': encrypting });
    await create(dir);
    const both = `${ours.recipient}, ${others.recipient}`;
    writeFileSync(join(dir, 'sno-config.yaml'), encrypting.replace(ours.recipient, both));

    await run(['state', 'rotate', '--dir', dir, ...opening(dir)]);
    expect(await opened(dir, 'worker.ign', others)).toBe('no-key');
    expect(await create(dir)).toMatchObject(done);

    for (const path of secretOutputs) expect(await opened(dir, path, others), path).not.toBe('no-key');
    const once = snapshot(dir);
    await create(dir);
    expect(snapshot(dir)).toEqual(once);
  });

  it('fails without recipients', async () => {
    const dir = site({ 'sno-config.yaml': snoConfigText('state: { encryptOutputs: true }\n') });
    const before = snapshot(dir);

    for (const command of [['create', 'single-node-ignition-config'], ['validate']])
      expect(await run([...command, '--dir', dir])).toMatchObject(failing('state/no-recipients'));
    expect(snapshot(dir)).toEqual(before);
    expect(await run(['create', 'manifests', '--dir', dir])).toMatchObject(done);
  });
});

describe('encrypted outputs', () => {
  it('are read by the commands that read outputs, with an identity', async () => {
    const [dir, plain] = [site({ 'sno-config.yaml': encrypting }), site()];
    await create(dir);
    await create(plain);
    const config = join(dir, 'bootstrap-in-place-for-live-iso.ign');
    const commands = [
      ['inspect', `${config}.age`],
      ['certs', dir],
      ['certs', join(dir, 'auth/kubeconfig.age')],
      ['render', 'ignition', '--dir', dir, '--out', join(dir, 'tree')],
      ['render', 'ignition', `${config}.age`, '--out', join(dir, 'one')],
      ['diff', dir, plain],
      ['diff', `${config}.age`, config.replace(dir, plain)],
    ];

    for (const command of commands) {
      expect(await run(command), command.join(' ')).toMatchObject(failing('state/no-identity'));
      expect(await run([...command, ...opening(dir)]), command.join(' ')).toMatchObject(done);
    }
    await run(['render', 'ignition', '--dir', plain, '--out', join(plain, 'tree')]);
    expect(snapshot(join(dir, 'tree'))).toEqual(snapshot(join(plain, 'tree')));
  });

  it('have a receipt of the encrypted files, which an identity can compare', async () => {
    const dir = site({ 'sno-config.yaml': encrypting });
    await create(dir);

    const closed = await run(['verify', dir]);
    const compared = await run(['verify', dir, ...opening(dir)]);
    writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig.replace('site1', 'site2'));
    const changed = await run(['verify', dir, ...opening(dir)]);

    expect([closed.code, compared]).toMatchObject([0, done]);
    expect(closed.stderr).toContain('depends on auth/kubeconfig.age, which is encrypted');
    expect(changed).toMatchObject(failing('receipt/input-changed'));
  });

  it('go into a live ISO, when they are made and when they are there', async () => {
    const dir = site({ 'sno-config.yaml': encrypting });
    writeFileSync(join(dir, '../live.iso'), liveIso());
    const command = ['create', 'single-node-iso', '--dir', dir, '--iso', join(dir, '../live.iso')];

    const made = await run([...command, ...opening(dir)]);
    const iso = readFileSync(join(dir, 'single-node.iso'));
    rmSync(join(dir, 'single-node.iso'));
    const again = await run([...command, ...opening(dir)]);

    expect([made.code, again.code]).toEqual([0, 0]);
    expect(there(dir).plain).toEqual([]);
    expect(readFileSync(join(dir, 'single-node.iso')).equals(iso)).toBe(true);
  });

  it('give access to a cluster that is waited for', async () => {
    const dir = site({ 'sno-config.yaml': encrypting });
    await create(dir);
    const wait = ['wait-for', 'node-ready', '--timeout', '0s', '--dir', dir];

    expect(await run(wait)).toMatchObject(failing('state/no-identity'));
    const waited = await run([...wait, ...opening(dir)]);

    expect(waited.stderr).toContain('waiting up to 0 s for node-ready of https://api.site1.example.com:6443');
  });
});
