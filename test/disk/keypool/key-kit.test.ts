import { describe, expect, it, test } from 'vitest';

import {
  idForm,
  kitText,
  needName,
  needText,
  readKit,
  readNeed,
  type KeyKit,
  type KeyNeed,
} from '../../../src/disk/keypool/key-kit.js';
import { newId } from '../../../src/disk/keypool/pool-folder.js';
import { sha256 } from '../../../src/formats/sha256.js';

const need: KeyNeed = { labels: ['key/rsa-2048/a', 'key/rsa-3072/b', 'key/rsa-4096/c'], isApproved: false };
const kit: KeyKit = {
  pool: '0123456789abcdef'.repeat(2),
  id: 'f'.repeat(32),
  isApproved: true,
  keys: { 'key/rsa-2048/a': 'pem' },
};

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const written = (text: string): object => JSON.parse(text) as object;

describe('a need', () => {
  it('has a name by its labels and by who makes its keys', () => {
    const one: KeyNeed = { labels: ['key/rsa-2048/a', 'key/rsa-2048/b'], isApproved: false };
    expect(needName(one)).toBe(sha256('[false,"key/rsa-2048/a","key/rsa-2048/b"]').slice(0, 12));
    const others = [{ ...one, isApproved: true }, { ...one, labels: one.labels.slice(1) }, need];
    expect(new Set([one, ...others].map(needName)).size).toBe(4);
  });

  it('is read as it was written, in order of its labels', () => {
    expect(readNeed(Buffer.from(needText(need)))).toEqual(need);
    const reversed = { ...need, labels: need.labels.toReversed() };
    expect(readNeed(Buffer.from(needText(reversed)))).toEqual(need);
    expect(written(needText(need))).toEqual({ version: 1, approved: false, labels: need.labels });
    expect(needText(need).endsWith('}\n')).toBe(true);
  });

  test.each<{ name: string; change: object }>([
    { name: 'no labels', change: { labels: undefined } },
    { name: 'labels that are no list', change: { labels: 'key/rsa-2048/a' } },
    { name: 'nobody who approves', change: { approved: undefined } },
    { name: 'a text that approves', change: { approved: 'true' } },
    ...['key/rsa-1024/a', 'key/rsa-2048/', 'key/ec-P-256/a', 'my/key/rsa-2048/a', ''].map((label) => ({
      name: `the label "${label}"`,
      change: { labels: [...need.labels, label] },
    })),
  ])('is none with $name', ({ change }) => {
    expect(readNeed(bytes({ ...written(needText(need)), ...change }))).toBeUndefined();
  });
});

describe('a kit', () => {
  it('is read as it was written', () => {
    expect(readKit(Buffer.from(kitText(kit)))).toEqual(kit);
    const { id, pool, keys } = kit;
    expect(written(kitText(kit))).toEqual({ version: 1, pool, kit: id, approved: true, keys });
  });

  test.each<{ name: string; change: object }>([
    ...['pool', 'kit', 'approved', 'keys'].map((name) => ({
      name: `no ${name}`,
      change: { [name]: undefined },
    })),
    { name: 'a pool that is none', change: { pool: '../x' } },
    { name: 'a name that is none', change: { kit: 'F'.repeat(32) } },
    { name: 'a text that approves', change: { approved: 'true' } },
    { name: 'a key of another kind', change: { keys: { 'uuid/cluster': 'x' } } },
    { name: 'a key that is no text', change: { keys: { 'key/rsa-2048/a': 1 } } },
  ])('is none with $name', ({ change }) => {
    expect(readKit(bytes({ ...written(kitText(kit)), ...change }))).toBeUndefined();
  });
});

test.each(['', 'text', 'null', '[]', '{}'])('%j is neither', (text) => {
  expect([readNeed(Buffer.from(text)), readKit(Buffer.from(text))]).toEqual([undefined, undefined]);
});

test('names of pools and kits have 32 digits, each time others', () => {
  const ids = [newId(), newId()];
  expect(ids.map((id) => idForm.test(id))).toEqual([true, true]);
  expect(ids[0]).not.toBe(ids[1]);
  const others = ['f'.repeat(31), 'f'.repeat(33), 'g'.repeat(32), `${'f'.repeat(32)}/`];
  expect(others.filter((name) => idForm.test(name))).toEqual([]);
});
