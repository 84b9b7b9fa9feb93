import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success, type Failure, type Result } from '../../../src/core/result.js';
import { noStandardInput, type Stdin } from '../../../src/disk/external-files/standard-input.js';
import { readKeys, type AccessNames } from '../../../src/disk/state/named-keys.js';
import { ageKeys } from '../../support/age-keys.js';
import { scratchFolder } from '../../support/scratch.js';
import { missing, refusal } from './refusal.js';
import { sealedByPassphrase, sealedTo } from './sealed-bytes.js';

const { ours, others } = ageKeys;
const noNames: AccessNames = { identityFiles: [], recipients: [], recipientsFiles: [] };
const stdin = noStandardInput;
const damagedIdentity = `${ours.identity.slice(0, -1)}Q`;
const ageKeygen = 'name a file written by age-keygen';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, contents: string | Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, contents);
  return path;
}

const noIdentity = (message: string, hint = ageKeygen): Failure =>
  refusal('state/identity', message, { hint });

/** A terminal that answers with this. `prompts` records the questions and marks those that overlap. */
function typing(answer: Result<string>) {
  const prompts: string[] = [];
  let open = 0;
  return {
    prompts,
    terminal: {
      open: async (shownAs: string): Promise<Result<string>> => {
        prompts.push(`${shownAs}${open > 0 ? ' beside another question' : ''}`);
        open += 1;
        await new Promise(setImmediate);
        open -= 1;
        return answer;
      },
      choose: (): never => {
        throw new Error('nothing new is typed');
      },
    },
  };
}

const readFiles = (...identityFiles: readonly string[]) => readKeys({ ...noNames, identityFiles }, { stdin });

describe('identities', () => {
  it('are absent without options, as is the passphrase', async () => {
    expect(await readFiles()).toEqual(success({ identities: [], passphrases: [] }));
  });

  it('are the lines of all files without comments, in order', async () => {
    const first = lay('first', `# created: today\r\n\r\n  # of ours\n\t${ours.identity} \r\n`);
    const second = lay('second', `${others.identity}\n${ours.identity}`);
    const identities = [ours.identity, others.identity, ours.identity];
    expect(await readFiles(first, second)).toEqual(success({ identities, passphrases: [] }));
  });

  it('are returned with the named passphrase', async () => {
    const [passphraseFile, file] = [lay('phrase', 'pass\n'), lay('key', ours.identity)];
    const want = success({ identities: [ours.identity], passphrases: ['pass'] });
    expect(await readKeys({ ...noNames, identityFiles: [file], passphraseFile }, { stdin })).toEqual(want);
  });

  it('may come from stdin', async () => {
    const piped: Stdin = (reader) =>
      reader === '--identity' ? { kind: 'file', bytes: Buffer.from(ours.identity) } : stdin(reader);
    const want = success({ identities: [ours.identity], passphrases: [] });
    expect(await readKeys({ ...noNames, identityFiles: ['-'] }, { stdin: piped })).toEqual(want);
  });

  it.each(['', '\n\n', '# a comment\n'])('are reported as missing in %j', async (text) => {
    const path = lay('key', text);
    const want = noIdentity(`--identity ${path} contains no identity`);
    expect(await readFiles(path)).toEqual(want);
  });

  it('reports invalid ones by line, without their text, with all other problems', async () => {
    const bad = lay('bad', `# key\n${ours.identity}\n\n${damagedIdentity}\nage1nothing\n`);
    const [absent, none] = [join(dir, 'gone'), lay('none', 'text')];
    const passphraseFile = lay('phrase', '');
    const names = { ...noNames, identityFiles: [bad, absent, none], passphraseFile };
    const form = 'is not an age identity: identities start with `AGE-SECRET-KEY-1`';
    const messages = [
      refusal('state/identity', `--passphrase-file ${passphraseFile} is empty, expected a passphrase`),
      noIdentity(`entry 2 of --identity ${bad} is damaged: its checksum does not match`),
      missing('--identity', absent),
      noIdentity(`entry 1 of --identity ${none} ${form}`),
    ];
    expect(await readKeys(names, { stdin })).toEqual(
      failure(...messages.flatMap(({ problems }) => problems)),
    );
  });
});

describe('encrypted identities', () => {
  let [file, passphraseFile] = ['', ''];
  beforeEach(async () => {
    file = lay('key.age', await sealedByPassphrase(`# key\n${ours.identity}\n`, 'pass'));
    passphraseFile = lay('phrase', 'pass\n');
  });
  const identities = [ours.identity];
  const encrypted = 'cannot be decrypted with this passphrase';
  const otherOne = 'the passphrase is wrong, or the file is damaged';

  it('are decrypted by the given passphrase without a prompt', async () => {
    const { prompts, terminal } = typing(success('other'));
    const names = { ...noNames, identityFiles: [file], passphraseFile };
    const want = success({ identities, passphrases: ['pass'] });
    expect(await readKeys(names, { stdin, terminal })).toEqual(want);
    expect(prompts).toEqual([]);
  });

  it('are decrypted by a passphrase typed for each file in turn', async () => {
    const { prompts, terminal } = typing(success('pass'));
    const names = { ...noNames, identityFiles: [file, lay('plain', others.identity), file] };
    const all = [ours.identity, others.identity, ours.identity];
    expect(await readKeys(names, { stdin, terminal })).toEqual(success({ identities: all, passphrases: [] }));
    expect(prompts).toEqual([`--identity ${file}`, `--identity ${file}`]);
  });

  it('need a passphrase', async () => {
    const hint = 'name a file that contains the passphrase with --passphrase-file';
    expect(await readFiles(file)).toEqual(noIdentity(`--identity ${file} is encrypted`, hint));
  });

  it('are not decrypted by another passphrase, given or typed', async () => {
    const want = noIdentity(`--identity ${file} ${encrypted}`, otherOne);
    const named = { ...noNames, identityFiles: [file], passphraseFile: lay('phrase', 'other') };
    expect(await readKeys(named, { stdin })).toEqual(want);
    const { terminal } = typing(success('other'));
    expect(await readKeys({ ...noNames, identityFiles: [file] }, { stdin, terminal })).toEqual(want);
  });

  it('are not decrypted by identities', async () => {
    const path = lay('to.age', await sealedTo(ours.identity, ours.recipient));
    const names = { ...noNames, identityFiles: [lay('plain', ours.identity), path], passphraseFile };
    const want = noIdentity(`--identity ${path} ${encrypted}`, otherOne);
    expect(await readKeys(names, { stdin })).toEqual(want);
  });

  it('are not checked if no passphrase is typed', async () => {
    const none = refusal('state/passphrase', 'no passphrase was entered');
    const { terminal } = typing(none);
    expect(await readKeys({ ...noNames, identityFiles: [file] }, { stdin, terminal })).toEqual(none);
  });

  it('cause no prompt if the given passphrase file is unreadable', async () => {
    const path = join(dir, 'gone');
    const { prompts, terminal } = typing(success('pass'));
    const names = { ...noNames, identityFiles: [file], passphraseFile: path };
    const want = missing('--passphrase-file', path);
    expect(await readKeys(names, { stdin, terminal })).toEqual(want);
    expect(prompts).toEqual([]);
  });

  it('may also be missing', async () => {
    const path = lay('none.age', await sealedByPassphrase('# nothing\n', 'pass'));
    const names = { ...noNames, identityFiles: [path], passphraseFile };
    const want = noIdentity(`--identity ${path} contains no identity`);
    expect(await readKeys(names, { stdin })).toEqual(want);
  });
});
