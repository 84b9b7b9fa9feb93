import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success, type Result } from '../../../src/core/result.js';
import { noStandardInput as stdin } from '../../../src/disk/external-files/standard-input.js';
import type { AccessNames, PassphraseTerminal } from '../../../src/disk/state/named-keys.js';
import {
  createStateAccess,
  conflictingOptions,
  noAccess,
  promptNewPassphrase,
  type AccessSources,
  type StateAccess,
} from '../../../src/disk/state/state-access.js';
import { ageKeys } from '../../support/age-keys.js';
import { scratchFolder } from '../../support/scratch.js';
import { missing, refusal } from './refusal.js';

const recipient = ageKeys.ours.recipient;
const untyped = refusal('state/passphrase', 'no passphrase was entered');

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

function access(names: Partial<AccessNames> = {}, means: Partial<AccessSources> = {}): StateAccess {
  return createStateAccess(
    { identityFiles: [], recipients: [], recipientsFiles: [], ...names },
    { stdin, ...means },
  );
}

/** A terminal with these answers; `prompts` records the questions. */
function typing(answers: { readonly open?: Result<string>; readonly choose?: Result<string> }) {
  const prompts: string[] = [];
  const answer = (question: string, given: Result<string> = untyped): Promise<Result<string>> => {
    prompts.push(question);
    return Promise.resolve(given);
  };
  const terminal: PassphraseTerminal = {
    open: (shownAs) => answer(`open ${shownAs}`, answers.open),
    choose: () => answer('choose', answers.choose),
  };
  return { prompts, terminal };
}

it('has no keys, passphrase or encryption without options', async () => {
  const nothing = [success({ identities: [], passphrases: [] }), success(undefined), success(undefined)];
  for (const each of [noAccess, access()])
    expect(await Promise.all([each.keys(), each.seal(), each.passphrase()])).toEqual(nothing);
  expect(Object.keys(access()).toSorted()).toEqual(['keys', 'passphrase', 'seal']);
  expect(Object.keys(noAccess).toSorted()).toEqual(['keys', 'passphrase', 'seal']);
});

describe('keys and passphrase', () => {
  it('are read once from the named files', async () => {
    const [key, passphraseFile] = [lay('key', ageKeys.ours.identity), lay('phrase', 'pass\n')];
    const named = access({ identityFiles: [key], passphraseFile });
    const want = success({ identities: [ageKeys.ours.identity], passphrases: ['pass'] });
    expect(await named.keys()).toEqual(want);
    for (const path of [key, passphraseFile]) writeFileSync(path, '');
    expect(await named.keys()).toEqual(want);
    expect(await named.passphrase()).toEqual(success('pass'));
  });

  it('are reported if they cannot be read', async () => {
    const path = join(dir, 'gone');
    const named = access({ passphraseFile: path });
    expect(await named.keys()).toEqual(missing('--passphrase-file', path));
    expect(await named.passphrase()).toEqual(missing('--passphrase-file', path));
  });
});

describe('a passphrase prompt', () => {
  it('appears once for each state; the passphrase is known afterwards', async () => {
    const { prompts, terminal } = typing({ open: success('typed') });
    const { ask, passphrase } = access({}, { terminal });
    expect(await passphrase()).toEqual(success(undefined));
    for (const file of ['a', 'b', 'a']) expect(await ask?.(file)).toEqual(success('typed'));
    expect(prompts).toEqual(['open a', 'open b']);
    expect(await passphrase()).toEqual(success('typed'));
  });

  it('does not replace a named passphrase', async () => {
    const { terminal } = typing({ open: success('typed') });
    const { ask, passphrase } = access({ passphraseFile: lay('phrase', 'named') }, { terminal });
    await ask?.('a');
    expect(await passphrase()).toEqual(success('named'));
  });

  it('appears only once if nothing is typed', async () => {
    const { prompts, terminal } = typing({});
    const { ask, passphrase } = access({}, { terminal });
    expect([await ask?.('a'), await ask?.('a'), await passphrase()]).toEqual([
      untyped,
      untyped,
      success(undefined),
    ]);
    expect(prompts).toEqual(['open a']);
  });
});

describe('the command line requests encryption', () => {
  it('to its recipients, which are read once', async () => {
    const file = lay('recipients', recipient);
    const { seal } = access({ recipientsFiles: [file] });
    expect(await seal()).toEqual(success({ recipients: [recipient] }));
    writeFileSync(file, '');
    expect(await seal()).toEqual(success({ recipients: [recipient] }));
  });

  it('and fails if a recipient cannot be read', async () => {
    const path = join(dir, 'gone');
    const { seal } = access({ recipientsFiles: [path], isTyped: true });
    expect(await seal()).toEqual(missing('--recipients-file', path));
  });

  it('with a new passphrase, typed once', async () => {
    const { prompts, terminal } = typing({ choose: success('new') });
    const { seal } = access({ isTyped: true }, { terminal });
    expect([await seal(), await seal()]).toEqual([
      success({ passphrase: 'new' }),
      success({ passphrase: 'new' }),
    ]);
    expect(prompts).toEqual(['choose']);
  });

  it('with the passphrase that decrypted a state, without another prompt', async () => {
    const { prompts, terminal } = typing({ open: success('typed'), choose: success('new') });
    const { ask, seal } = access({ isTyped: true }, { terminal });
    await ask?.('a');
    expect(await seal()).toEqual(success({ passphrase: 'typed' }));
    expect(prompts).toEqual(['open a']);
  });

  it('with a passphrase only if one is requested and typed', async () => {
    const { terminal } = typing({});
    expect(await access({ isTyped: true }, { terminal }).seal()).toEqual(untyped);
    for (const isTyped of [{}, { isTyped: false }])
      expect(await access(isTyped, { terminal }).seal()).toEqual(success(undefined));
  });

  it('and fails if the named passphrase cannot be read', async () => {
    const path = join(dir, 'gone');
    const { prompts, terminal } = typing({ choose: success('new') });
    const { seal } = access({ isTyped: true, passphraseFile: path }, { terminal });
    expect(await seal()).toEqual(missing('--passphrase-file', path));
    expect(prompts).toEqual([]);
  });

  it('by recipients or by a passphrase, not both', async () => {
    const message = 'recipients and --passphrase cannot be combined';
    const want = refusal('usage/conflicting-options', message, { hint: 'remove one of them' });
    expect(conflictingOptions('--passphrase')).toEqual(want);
    const { prompts, terminal } = typing({ choose: success('new') });
    expect(await access({ isTyped: true, recipients: [recipient] }, { terminal }).seal()).toEqual(want);
    expect(prompts).toEqual([]);
  });
});

it('prompts for a new passphrase only on a terminal', async () => {
  const hint = 'use --passphrase-file FILE, or `-` for stdin';
  const want = refusal('state/passphrase', 'cannot ask for a passphrase without a terminal', {
    hint,
  });
  expect(await promptNewPassphrase(undefined)).toEqual(want);
  expect(await access({ isTyped: true }).seal()).toEqual(want);
  expect(await promptNewPassphrase(typing({ choose: success('new') }).terminal)).toEqual(success('new'));
});

it('reads an external state once', async () => {
  let reads = 0;
  const read = (): Promise<Result<Uint8Array>> => {
    reads += 1;
    return Promise.resolve(success(Buffer.from(`text ${reads}`)));
  };
  const { outside } = access({}, { outside: { shownAs: '--state -', read } });
  expect(outside?.shownAs).toBe('--state -');
  expect([await outside?.read(), await outside?.read(), reads]).toEqual([
    success(Buffer.from('text 1')),
    success(Buffer.from('text 1')),
    1,
  ]);
});
