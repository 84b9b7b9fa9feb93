import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { emptyState, serializeState } from '../../src/disk/state/state-file.js';
import { ageKeys } from '../support/age-keys.js';
import { sno, snapshot } from '../support/command.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { keys, runOnTerminal } from '../support/on-terminal.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';

const stateName = '.sno-install-state.json';
const plain = serializeState({ ...emptyState, generatedValues: { 'uuid/cluster': 'canary-of-the-state' } });

function site(files: Readonly<Record<string, string>> = {}): string {
  const dir = scratchFolder();
  const all = { 'install-config.yaml': minimalInstallConfig, [stateName]: plain, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(dir, name), text, { mode: 0o600 });
  return dir;
}

const line = (text: string): string => `${text}${keys.enter}`;
const encrypt = ['state', 'encrypt', '--passphrase'];

describeWith(['script'], 'a passphrase on a terminal', () => {
  test.each([
    {
      name: 'that differs the second time',
      typed: [line('correct horse'), line('b')],
      says: 'the passphrases do not match',
    },
    { name: 'that is empty', typed: [line('')], says: 'the passphrase is empty' },
    { name: 'that does not come', typed: [keys.end], says: 'no passphrase was entered' },
    { name: 'that comes once', typed: [line('a'), keys.end], says: 'no passphrase was entered' },
  ])('rejects $name, and writes no files', async ({ typed, says }) => {
    const dir = site();
    const before = snapshot(dir);

    const { code, shown } = await runOnTerminal(encrypt, typed, dir);

    expect(code).toBe(1);
    expect(shown).toContain(`error[state/passphrase]: ${says}`);
    expect(shown).not.toContain('horse');
    expect(snapshot(dir)).toEqual(before);
  });

  test.each([
    { name: 'the first question', typed: [`half${keys.interrupt}`] },
    { name: 'the second', typed: [line('a'), keys.interrupt] },
  ])('Ctrl-C at $name ends the command and leaves everything', async ({ typed }) => {
    const dir = site();
    const before = snapshot(dir);
    const fresh = join(scratchFolder(), 'fresh');

    const { code, shown } = await runOnTerminal(encrypt, typed, dir);
    const created = await runOnTerminal(['create', 'manifests', '--passphrase', '--dir', fresh], typed);

    expect([code, created.code]).toEqual([130, 130]);
    expect(`${shown}${created.shown}`).not.toMatch(/error|bug|half/);
    expect(snapshot(dir)).toEqual(before);
    expect(snapshot(join(fresh, '..'))).toEqual({});
  });

  test('cannot be combined with recipients', async () => {
    const config = snoConfigText(`state: { recipients: [${ageKeys.ours.recipient}] }\n`);
    const answers = [line('a'), line('a')];

    const configured = await runOnTerminal(encrypt, answers, site({ 'sno-config.yaml': config }));
    const beside = await runOnTerminal([...encrypt, '--recipient', ageKeys.ours.recipient], [], site());

    expect([configured.code, beside.code]).toEqual([1, 2]);
    expect(configured.shown).toContain('error[state/recipients-configured]');
    expect(beside.shown).toContain(
      'error[usage/conflicting-options]: recipients and --passphrase cannot be combined',
    );
  });
});

test('does not prompt without a terminal', () => {
  const dir = site();

  const result = sno(encrypt, { cwd: dir, input: 'a\na\n' });

  expect(result).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'error[state/passphrase]: cannot ask for a passphrase without a terminal',
    ) as string,
  });
  expect(readFileSync(join(dir, stateName), 'utf8')).toBe(plain);
});
