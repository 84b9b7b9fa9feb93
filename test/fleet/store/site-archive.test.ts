import { expect, test } from 'vitest';

import type { SiteContents } from '../../../src/disk/site-record/site-contents.js';
import { recordFile, recordName, type SiteRecord } from '../../../src/disk/site-record/site-record.js';
import { archiveOf, contentsOfArchive, recordOfArchive } from '../../../src/fleet/store/site-archive.js';
import { siteStore } from '../../../src/fleet/store/site-store.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { filesOfTar, tarOf } from '../../../src/formats/tar/tar-archive.js';
import { encryptedFile } from '../../support/age-keys.js';
import { memoryStore } from './memory-store.js';

const fleetKey = '5a'.repeat(32);
const seal = { fleetKey, site: 'north-1' };
const encrypted = Buffer.from(encryptedFile);
const receipt = Buffer.from(JSON.stringify({ hmacSha256: 'keyed hash of an input', cluster: 'cluster ID' }));

const record: SiteRecord = {
  site: 'north-1',
  program: 'build ID',
  questions: ['read install-config.yaml'],
  fingerprint: 'keyed hash of the inputs',
  issued: '2026-11-02T03:04:05Z',
  bootableUntil: '2026-12-02T03:04:05Z',
  warnings: [],
  state: sha256(encrypted),
  outputs: [
    { path: 'worker.ign.age', mode: 0o600, sha256: sha256(encrypted) },
    { path: 'receipt.json', mode: 0o644, sha256: sha256(receipt) },
  ],
};

const contents: SiteContents = {
  record,
  files: [
    { path: recordName, mode: 0o600, contents: Buffer.from(recordFile(record).contents) },
    { path: '.sno-install-state.json', mode: 0o600, contents: encrypted },
    { path: 'worker.ign.age', mode: 0o600, contents: encrypted },
    { path: 'receipt.json', mode: 0o644, contents: receipt },
  ],
};

const damaged = {
  kind: 'damaged',
  message: 'the archive of north-1 was changed, cut off, or belongs to another site',
};

test('an archive is read back, its record from the beginning', async () => {
  const bytes = await archiveOf(contents, seal);
  const whole = await contentsOfArchive(bytes, seal);
  expect(whole.record).toMatchObject(record);
  const byPath = (files: SiteContents['files']): unknown =>
    Object.fromEntries(
      files.map(({ path, mode, contents: each }) => [path, [mode, Buffer.from(each).toString()]]),
    );
  expect(byPath(whole.files)).toEqual(byPath(contents.files));
  expect(whole.files[0]?.path).toBe(recordName);
  expect(await recordOfArchive(bytes.subarray(0, 16 * 1024), seal)).toMatchObject(record);
  expect(await recordOfArchive(bytes.subarray(0, 600), seal)).toBeUndefined();
});

test('an archive shows neither the record, nor a readable output, nor the key', async () => {
  const bytes = await archiveOf(contents, seal);
  const values = [record, JSON.parse(receipt.toString()) as unknown].flatMap(textsOf);
  const names = ['fingerprint', 'questions', 'bootableUntil', 'receipt.json', recordName, fleetKey, 'sha256'];
  const found = [...values, ...names].filter((text) => text !== 'worker.ign.age' && bytes.includes(text));
  expect(found).toEqual([]);
  expect(bytes.includes(Buffer.from(fleetKey, 'hex'))).toBe(false);
  const files = (await filesOfTar(bytes)) ?? [];
  expect(files.map(({ path }) => path)).toEqual([
    '.sno-install-site.sealed',
    '.sno-install-state.json',
    'worker.ign.age',
  ]);
  // A new nonce each time.
  expect((await archiveOf(contents, seal)).equals(bytes)).toBe(false);
});

/** All texts in a value. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test('the archive of another site is damage, for each way to read it', async () => {
  const store = memoryStore();
  const sites = siteStore(store, fleetKey);
  expect(await sites.keep('north-2', contents, 'nothing')).toBe('kept');
  store.objects.set('sites/north-1.tar', store.objects.get('sites/north-2.tar') ?? Buffer.alloc(0));
  await expect(sites.look('north-1')).rejects.toMatchObject(damaged);
  await expect(sites.fetch('north-1')).rejects.toMatchObject(damaged);
  await expect(sites.keep('north-1', contents, 'nothing')).rejects.toMatchObject(damaged);
});

test('every changed byte and every cut is damage', async () => {
  const bytes = await archiveOf(contents, seal);
  const sealedAt = 512;
  const sealedEnd = sealedAt + ((await filesOfTar(bytes))?.[0]?.contents.length ?? 0);
  for (let at = sealedAt; at < sealedEnd; at += at < sealedAt + 64 ? 1 : 97) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(recordOfArchive(changed, seal), String(at)).rejects.toMatchObject(damaged);
    await expect(contentsOfArchive(changed, seal), String(at)).rejects.toMatchObject(damaged);
  }
  for (const length of [
    0,
    100,
    512,
    540,
    sealedEnd - 1,
    sealedEnd + 600,
    bytes.length - encrypted.length - 1600,
  ])
    await expect(contentsOfArchive(bytes.subarray(0, length), seal), String(length)).rejects.toMatchObject(
      damaged,
    );
});

test('files of another run of the same site are damage', async () => {
  const [first, ...rest] = (await filesOfTar(await archiveOf(contents, seal))) ?? [];
  const parts = first === undefined ? [] : [first];
  const swaps = [
    [...parts, ...rest.slice(1)],
    [...parts, ...rest, { path: 'more', mode: 0o644, contents: Buffer.from('x') }],
    [
      ...parts,
      ...rest.map((file) => ({ ...file, contents: Buffer.concat([file.contents, Buffer.from('\n')]) })),
    ],
    rest,
  ];
  for (const files of swaps)
    await expect(contentsOfArchive(await tarOf(files), seal)).rejects.toMatchObject(damaged);
});

test('an archive that is sealed with another key is not called damaged', async () => {
  const bytes = await archiveOf(contents, { ...seal, fleetKey: 'c3'.repeat(32) });
  const other = { kind: 'key', message: 'the archive of north-1 is sealed with another key' };
  await expect(recordOfArchive(bytes, seal)).rejects.toMatchObject(other);
  await expect(contentsOfArchive(bytes, seal)).rejects.toMatchObject(other);
});
