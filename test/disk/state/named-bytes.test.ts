import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { readNamedBytes, stdinName } from '../../../src/disk/state/named-bytes.js';
import type { Stdin } from '../../../src/disk/external-files/standard-input.js';
import { scratchFolder } from '../../support/scratch.js';
import { missing, refusal } from './refusal.js';

const piped: Stdin = (reader) => ({ kind: 'file', bytes: Buffer.from(`for ${reader}`) });
const used: Stdin = (reader) => ({ kind: 'unreadable', reason: `--key has read it before ${reader}` });

it('reads the file of an option, and does not read stdin', () => {
  const path = join(scratchFolder(), 'key');
  writeFileSync(path, 'text\n');
  expect(readNamedBytes('--key', path, used)).toEqual(success(Buffer.from('text\n')));
});

it('reads stdin for a dash', () => {
  expect(stdinName).toBe('-');
  expect(readNamedBytes('--key', '-', piped)).toEqual(success(Buffer.from('for --key')));
});

it('reports read errors with option and path', () => {
  const path = join(scratchFolder(), '-');
  const absent = missing('--key', path);
  expect(readNamedBytes('--key', path, piped)).toEqual(absent);
  const read = refusal(
    'usage/unreadable-file',
    '--other - cannot be read: --key has read it before --other',
    {
      hint: 'name a file instead of -',
    },
  );
  expect(readNamedBytes('--other', '-', used)).toEqual(read);
});
