import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar } from 'modern-tar';
import { describe, expect, it } from 'vitest';

import { bundleLimits, type BundleLimits } from '../../../src/analysis/bundle.js';
import { failure, type Failure } from '../../../src/core/result.js';
import { readBundle } from '../../../src/disk/bundle/bundle-files.js';
import { expectOk } from '../../support/sound-value.js';
import { archiveAt, archiveOf, folderOf, journal, record } from './laid-bundle.js';

const journals = (many: number): readonly string[] =>
  Array.from({ length: many }, (_, index) => journal(index));
/** Small limits exercise the same code as the real ones, which test/analysis/limits.machines.test.ts covers. */
const small: BundleLimits = { totalBytes: bundleLimits.totalBytes, entries: 100, keptBytes: 1024 ** 2 };
/** Eight texts of this length reach `keptBytes`. */
const eighth = small.keptBytes / 8;
const beyond = 'records and journals exceed 1 MiB in total; the rest was not read';

describe('more text than the total limit', () => {
  it('is reported for an archive', async () => {
    const texts = journals(8).map((path) => [`b/${path}`, Buffer.alloc(eighth)] as const);
    const path = archiveAt(await archiveOf({ [record]: '[]', ...Object.fromEntries(texts) }));
    const { files, bundleNotes } = expectOk(await readBundle(path, small));
    expect(files[0]).toEqual({ path: 'bootstrap/services/bootkube.json', sizeBytes: 2, text: '[]' });
    expect(bundleNotes).toEqual([beyond]);
  });

  it('is cut for a folder, whose files are read in order', async () => {
    const folder = folderOf(Object.fromEntries(journals(10).map((path) => [path, ''])));
    for (const path of journals(9)) truncateSync(join(folder, path), eighth - 1);
    const { files, bundleNotes } = expectOk(await readBundle(folder, small));
    const whole = journals(8).map((path) => [path, eighth - 1] as const);
    expect(files.map(({ path, text }) => [path, text?.length])).toEqual([
      ...whole,
      // The bytes that the eight texts before it leave over.
      [journal(8), 8],
      [journal(9), undefined],
    ]);
    expect(bundleNotes).toEqual([beyond]);
  });
});

describe('more entries than the limit', () => {
  it('are rejected in an archive that has no text before the limit', async () => {
    const path = await tooMany('b/y');
    expect(await readBundle(path, small)).toEqual(tooLarge(path));
  });

  it('are read up to the limit in an archive', async () => {
    const { bundleNotes } = expectOk(await readBundle(await tooMany(record), small));
    expect(bundleNotes).toEqual([
      'the bundle unpacks to more than 2 GiB or 100 files; only the part before that was read',
    ]);
  });

  it('are rejected in a folder', async () => {
    const folder = folderOf({ [journal(1)]: 'one' });
    // The folders that contain the journals count as entries.
    for (let index = 3; index < small.entries; index += 1) writeFileSync(join(folder, `${index}`), '');
    expect(await readBundle(folder, small)).toMatchObject({ ok: true });
    writeFileSync(join(folder, 'one more'), '');
    expect(await readBundle(folder, small)).toEqual(tooLarge(folder));
  });
});

/** An archive with one entry more than the limit. */
async function tooMany(first: string): Promise<string> {
  const heads = [first, 'b/x'].map(async (name) =>
    (await packTar([{ header: { name, size: 0 } }])).subarray(0, 512),
  );
  const [head = Buffer.alloc(0), entry = Buffer.alloc(0)] = await Promise.all(heads);
  const entries = Array.from({ length: small.entries }, () => entry);
  return archiveAt(gzipSync(Buffer.concat([head, ...entries]), { level: 1 }));
}

function tooLarge(path: string): Failure {
  const message = `the log bundle ${path} unpacks to more than 2 GiB or 100 files`;
  const hint = 'unpack it and analyze the folder';
  return failure({ code: 'support/bundle-too-large', severity: 'error', message, hint });
}
