import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ensureFleetKey, findFleetKey } from '../../../src/fleet/store/fleet-key.js';
import { decryptAge } from '../../../src/formats/age.js';
import { ageKeys } from '../../support/age-keys.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { memoryStore } from './memory-store.js';

const none = { identities: [], passphrases: [] };
const ours = { identities: [ageKeys.ours.identity], passphrases: [] };
const others = { identities: [ageKeys.others.identity], passphrases: [] };
const creation = { recipients: [ageKeys.ours.recipient], runs: 'beside', keys: none } as const;
const noKey = {
  code: 'store/key',
  message: 'no identity decrypts fleet-key.age of the store, and the output folder has no fleet key',
};

/** An output folder with this key, or none. */
function outputs(key?: string): string {
  const dir = scratchFolder();
  if (key !== undefined) writeFileSync(join(dir, '.sno-install-fleet-key'), `${key}\n`);
  return dir;
}

function keptIn(dir: string): string | undefined {
  const file = join(dir, '.sno-install-fleet-key');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

test('the first run generates the key, encrypts it to the recipients and keeps it in its output folder', async () => {
  const store = memoryStore();
  const dir = outputs();
  const key = expectOk(await ensureFleetKey(store, { ...creation, outputs: dir }));
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect([...store.objects.keys()]).toEqual(['fleet-key.age']);
  const stored = store.objects.get('fleet-key.age') ?? Buffer.alloc(0);
  expect(stored.includes(key) || stored.includes(Buffer.from(key, 'hex'))).toBe(false);
  const opened = await decryptAge(stored, ours);
  expect('bytes' in opened && Buffer.from(opened.bytes).toString()).toBe(`${key}\n`);
  expect(keptIn(dir)).toBe(key);
  expect(expectOk(await ensureFleetKey(store, { ...creation, outputs: dir }))).toBe(key);
  expect(store.objects.get('fleet-key.age')).toEqual(stored);
});

test('a run without output folder reads the key with an identity; another folder keeps it', async () => {
  const store = memoryStore();
  const key = expectOk(await ensureFleetKey(store, creation));
  expect(await findFleetKey(store, { keys: ours })).toMatchObject({ ok: true, value: key });
  const dir = outputs();
  expect(await findFleetKey(store, { keys: ours, outputs: dir })).toMatchObject({ ok: true, value: key });
  expect(keptIn(dir)).toBe(key);
});

test.each([
  ['no identity', none],
  ['a foreign identity', others],
])('%s and no kept key is a problem', async (_, keys) => {
  const store = memoryStore();
  expectOk(await ensureFleetKey(store, creation));
  for (const found of [
    await findFleetKey(store, { keys, outputs: outputs() }),
    await ensureFleetKey(store, { ...creation, keys }),
  ])
    expect(found).toMatchObject({ ok: false, problems: [noKey] });
});

test('the kept key is used without an identity, and compared with one', async () => {
  const store = memoryStore();
  const key = expectOk(await ensureFleetKey(store, { ...creation, outputs: outputs('ab'.repeat(32)) }));
  expect(key).toBe('ab'.repeat(32));
  expect(await findFleetKey(store, { keys: others, outputs: outputs(key) })).toMatchObject({ value: key });
  const other = {
    code: 'store/other-site',
    message: 'the output directory belongs to another run than the store',
  };
  expect(await findFleetKey(store, { keys: ours, outputs: outputs('cd'.repeat(32)) })).toMatchObject({
    problems: [other],
  });
});

test('an empty store has no key', async () => {
  expect(await findFleetKey(memoryStore(), { keys: ours, outputs: outputs() })).toEqual({
    ok: true,
    value: undefined,
    warnings: [],
  });
});

test('of two runs that generate the key, the second uses that of the first', async () => {
  const store = memoryStore();
  const late = {
    ...store,
    // The other run writes the key between the read and the write of this one.
    write: async (...args: Parameters<typeof store.write>) => {
      if (store.objects.size === 0) expectOk(await ensureFleetKey(store, creation));
      return store.write(...args);
    },
  };
  const dir = outputs();
  const key = expectOk(await ensureFleetKey(late, { ...creation, keys: ours, outputs: dir }));
  expect(await findFleetKey(store, { keys: ours })).toMatchObject({ value: key });
  expect(keptIn(dir)).toBe(key);
  store.objects.clear();
  const closed = outputs();
  expect(await ensureFleetKey(late, { ...creation, outputs: closed })).toMatchObject({ problems: [noKey] });
  expect(keptIn(closed)).toBeUndefined();
});

test('a write whose response was lost counts as written', async () => {
  const store = memoryStore();
  const forgetful = {
    ...store,
    write: async (...args: Parameters<typeof store.write>) => {
      await store.write(...args);
      return 'taken' as const;
    },
  };
  const key = expectOk(await ensureFleetKey(forgetful, creation));
  expect(await findFleetKey(store, { keys: ours })).toMatchObject({ value: key });
});

test('a run beside others refuses a store that ignores conditions, and leaves its key as it was', async () => {
  const store = memoryStore();
  expectOk(await ensureFleetKey(store, creation));
  const before = store.objects.get('fleet-key.age');
  const ignoring = {
    ...store,
    write: (name: string, bytes: Uint8Array) => {
      store.objects.set(name, Buffer.from(bytes));
      return Promise.resolve('written' as const);
    },
  };
  const wanted = { ...creation, keys: ours };
  await expect(ensureFleetKey(ignoring, wanted)).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('conditional writes') as string,
  });
  expect(store.objects.get('fleet-key.age')).toEqual(before);
  expect(await ensureFleetKey(ignoring, { ...wanted, runs: 'alone' })).toMatchObject({ ok: true });
});

test('damage of the key is reported', async () => {
  const store = memoryStore();
  expectOk(await ensureFleetKey(store, creation));
  const whole = store.objects.get('fleet-key.age')?.toString() ?? '';
  for (const text of ['', 'ab'.repeat(32), whole.slice(0, -60), `${whole.slice(0, 40)}\n`]) {
    store.objects.set('fleet-key.age', Buffer.from(text));
    await expect(findFleetKey(store, { keys: ours }), text).rejects.toMatchObject({ kind: 'damaged' });
  }
});

test('a store with a readable key is not supported, and not written', async () => {
  const store = memoryStore(new Map([['fleet-key', Buffer.from('ab'.repeat(32))]]));
  const wanted = [
    { code: 'store/key', hint: 'create the fleet below another prefix, then delete the old one' },
  ];
  expect(await ensureFleetKey(store, creation)).toMatchObject({ problems: wanted });
  expect(await findFleetKey(store, { keys: ours })).toMatchObject({ problems: wanted });
  expect([...store.objects.keys()]).toEqual(['fleet-key']);
});
