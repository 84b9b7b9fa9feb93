import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { noStandardInput, type Stdin } from '../../../src/disk/external-files/standard-input.js';
import { readRecipients, recipientProblems } from '../../../src/disk/state/named-keys.js';
import { ageKeys } from '../../support/age-keys.js';
import { scratchFolder } from '../../support/scratch.js';
import { fault, missing, refusal } from './refusal.js';

const [ours, others] = [ageKeys.ours.recipient, ageKeys.others.recipient];
const noForm = 'is not an age recipient: write the `age1…` line that `age-keygen -y` prints';
const isIdentity = 'is an identity, which must stay secret: the recipient is its public key';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

function read(recipients: readonly string[], recipientsFiles: readonly string[], stdin = noStandardInput) {
  return readRecipients({ identityFiles: [], recipients, recipientsFiles }, stdin);
}

describe('recipients', () => {
  it('are undefined without options', async () => {
    expect(await read([], [])).toEqual(success(undefined));
  });

  it('come from the command line, then from files', async () => {
    const files = [lay('first', `# us\n\n ${ours}\r\n`), lay('second', `${others}\n${ours}\n`)];
    expect(await read([others], files)).toEqual(success([others, ours, others, ours]));
    expect(await read([others], [])).toEqual(success([others]));
    expect(await read([], files.slice(0, 1))).toEqual(success([ours]));
  });

  it('may come from stdin', async () => {
    const piped: Stdin = (reader) =>
      reader === '--recipients-file' ? { kind: 'file', bytes: Buffer.from(others) } : noStandardInput(reader);
    expect(await read([], ['-'], piped)).toEqual(success([others]));
  });

  it.each(['', '# nobody yet\n'])('are reported as missing in a file with %j', async (text) => {
    const path = lay('empty', text);
    const message = `entry 1 of --recipients-file ${path} ${noForm}`;
    expect(await read([ours], [path])).toEqual(refusal('state/recipient', message));
  });

  it('reports invalid ones by line, after unreadable files', async () => {
    const path = lay('some', `${ours}\n# mine\n${ageKeys.ours.identity}\n`);
    const absent = join(dir, 'gone');
    const messages = [
      ...missing('--recipients-file', absent).problems,
      fault('state/recipient', `--recipient 2 ${noForm}`),
      fault('state/recipient', `entry 2 of --recipients-file ${path} ${isIdentity}`),
    ];
    expect(await read([ours, 'nobody'], [path, absent])).toEqual(failure(...messages));
  });
});

it('reports invalid recipients of other sources by location', async () => {
  const named = [
    { text: ours, place: 'the first' },
    { text: 'text', place: 'the second' },
    { text: others, place: 'the third' },
    { text: '', place: 'the fourth' },
  ];
  expect(await recipientProblems(named)).toEqual([
    fault('state/recipient', `the second ${noForm}`),
    fault('state/recipient', `the fourth ${noForm}`),
  ]);
});
