import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { inputProblems } from '../../../src/disk/receipt/compare-inputs.js';
import { keyedHash } from '../../../src/disk/receipt/keyed-hash.js';
import type { Receipt } from '../../../src/disk/receipt/receipt.js';
import { encryptedFile } from '../../support/age-keys.js';
import { writtenReceipt, listedFile, placeOfText, withHints } from '../../support/laid-receipt.js';
import { scratchFolder } from '../../support/scratch.js';
import { soundMediumReceipt } from '../../support/sound-receipt.js';

const path = 'install-config.yaml';
const holder = 'auth/kubeconfig';
const secret = 'password: x\n';

/** An input with a keyed hash. The key is in another file, the holder. */
interface Given {
  readonly name: string;
  readonly key?: string;
  /** Contents of the holder on disk; default `key`. */
  readonly held?: string;
  readonly opened?: ReadonlyMap<string, Uint8Array>;
  readonly parts?: Partial<Receipt>;
  readonly change?: (folder: string) => void;
  readonly want: readonly string[];
}

function notCompared(reason: string): readonly string[] {
  return [`warning[receipt/input-not-compared] HERE: the input ${path} is not compared: ${reason} | `];
}

const notAsItWas = notCompared(`its hash depends on ${holder}, which is missing or has changed`);
const encrypted = notCompared(`its hash depends on ${holder}, which is encrypted`);
const otherBytes = [
  `error[receipt/input-changed] HERE: the input ${path} has changed: its contents differ | run \`create\` again, or undo the change`,
];

const cases: readonly Given[] = [
  { name: 'unchanged', want: [] },
  {
    name: 'changed',
    change: (folder) => {
      writeFileSync(join(folder, path), 'password: y\n');
    },
    want: otherBytes,
  },
  { name: 'recorded with another key', key: 'another key', held: 'a key', want: otherBytes },
  {
    name: 'recorded with a missing key',
    change: (folder) => {
      rmSync(join(folder, holder));
    },
    want: notAsItWas,
  },
  {
    name: 'recorded with a changed key',
    change: (folder) => {
      writeFileSync(join(folder, holder), 'a kez');
    },
    want: notAsItWas,
  },
  { name: 'recorded with a key that is not an output', parts: { outputs: [] }, want: notAsItWas },
  {
    name: 'recorded with a key of another output',
    parts: { outputs: [{ ...listedFile('auth/other', 'a key'), mode: '0600' }] },
    want: notAsItWas,
  },
  {
    name: 'recorded with the key of an image',
    parts: { outputs: [], medium: { ...mediumPart(), keyHolder: keyHolderOf('a key') } },
    want: [],
  },
  {
    name: 'recorded with the changed key of an image',
    parts: { outputs: [], medium: { ...mediumPart(), keyHolder: keyHolderOf('a kez') } },
    want: notAsItWas,
  },
  { name: 'recorded with an encrypted key', held: encryptedFile, want: encrypted },
  {
    name: 'recorded with an encrypted key, next to a decrypted one',
    held: encryptedFile,
    opened: new Map([['auth/other', Buffer.from('a key')]]),
    want: encrypted,
  },
  {
    name: 'recorded with a decrypted key',
    held: encryptedFile,
    opened: new Map([[holder, Buffer.from('a key')]]),
    want: [],
  },
];

test.each(cases)('an input with a secret that is $name', (given) => {
  const { key = 'a key', held = 'a key', opened, parts, change, want } = given;
  const folder = scratchFolder();
  mkdirSync(join(folder, 'auth'));
  writeFileSync(join(folder, path), secret);
  writeFileSync(join(folder, holder), held);
  const hmacSha256 = keyedHash(Buffer.from(key), Buffer.from(secret));
  const read = writtenReceipt(folder, {
    inputs: [{ path, bytes: secret.length, hmacSha256, keyedBy: holder }],
    outputs: [{ ...listedFile(holder, held), mode: '0600' }],
    ...parts,
  });
  change?.(folder);

  const shown = withHints(inputProblems(folder, read, opened));
  expect(shown.map((line) => line.replace(placeOfText(read, path), 'HERE'))).toEqual(want);
});

function mediumPart(): NonNullable<Receipt['medium']> {
  const { medium } = soundMediumReceipt;
  if (medium === undefined) throw new Error('it is that of a medium');
  return medium;
}

function keyHolderOf(contents: string) {
  const { sha256 } = listedFile(holder, contents);
  return { path: holder, sha256 };
}
