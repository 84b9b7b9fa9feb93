import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';

import { readBundle } from '../../src/disk/bundle/bundle-files.js';
import { readTarGz } from '../../src/formats/tar.js';
import { scratchFolder } from '../support/scratch.js';
import { failingRecord, madeBundle, type MadeEntry } from './support/made-bundle.js';

const record = failingRecord('cb-bootstrap', 'cluster-bootstrap ended with status 1');

async function read(bytes: Buffer, name = 'log-bundle-1.tar.gz') {
  const path = join(scratchFolder(), name);
  writeFileSync(path, bytes);
  return readBundle(path);
}

async function contentsOf(entries: Readonly<Record<string, MadeEntry>>) {
  const bundle = await read(await madeBundle(entries));
  if (!bundle.ok) throw new Error(JSON.stringify(bundle.problems));
  return { files: bundle.value.files.map(({ path }) => path), bundleNotes: bundle.value.bundleNotes };
}

describe('an archive', () => {
  it('is read without its root folder', async () => {
    expect(
      await contentsOf({
        'log-bundle-1/bootstrap/services/bootkube.json': record,
        'log-bundle-1/gather.log': 'gathering\n',
      }),
    ).toEqual({ files: ['bootstrap/services/bootkube.json', 'gather.log'], bundleNotes: [] });
  });

  it('is read without a root folder, with any path prefix', async () => {
    expect(await contentsOf({ './bootstrap/services/bootkube.json': record })).toEqual({
      files: ['bootstrap/services/bootkube.json'],
      bundleNotes: [],
    });
  });

  it('leads nowhere: names that lead out and links are passed over', async () => {
    expect(
      await contentsOf({
        'b/bootstrap/services/bootkube.json': record,
        'b/../../etc/cron.d/evil': 'x',
        '/etc/passwd': 'x',
        'b/bootstrap/services/release-image.json': { linkTo: '/etc/shadow' },
      }),
    ).toEqual({
      files: ['bootstrap/services/bootkube.json'],
      bundleNotes: [
        '1 links and special files were skipped',
        '2 entries with paths outside the bundle were ignored',
      ],
    });
  });

  it('is read completely with skipped and kept files of any size', async () => {
    const sizes = [0, 1, 511, 512, 513, 20_000, 100_000];
    const pairs = sizes.flatMap((passedOver) => sizes.map((kept) => ({ passedOver, kept })));
    const entries: Record<string, MadeEntry> = {};
    for (const [n, { passedOver, kept }] of pairs.entries()) {
      entries[`${n}.bin`] = 'p'.repeat(passedOver);
      entries[`${n}.log`] = 'k'.repeat(kept);
    }

    const { files, end } = await readTarGz(Readable.from([await madeBundle(entries)]), {
      totalBytes: 2 ** 30,
      entries: 2 * pairs.length,
      keptBytes: 2 ** 30,
      keptBytesOf: (path) => (path.endsWith('.log') ? 2 ** 20 : 0),
    });

    expect(end).toBe('whole');
    expect(files.filter(({ text }) => text !== undefined).map(({ text }) => text?.length)).toEqual(
      pairs.map(({ kept }) => kept),
    );
  });

  it('is read up to its truncation', async () => {
    const whole = await madeBundle({
      'b/bootstrap/services/bootkube.json': record,
      // Incompressible, so that cutting the archive cuts inside this file.
      'b/bootstrap/journals/bootkube.log': Array.from({ length: 4000 }, (_, n) =>
        (n * 2654435761).toString(36),
      ).join('\n'),
    });
    const bundle = await read(whole.subarray(0, whole.length - 4000));

    expect(bundle.ok && bundle.value.files.map(({ path }) => path)).toContain(
      'bootstrap/services/bootkube.json',
    );
    expect(bundle.ok && bundle.value.bundleNotes).toEqual([
      'the archive is cut off or damaged; only the part before that was read',
    ]);
  });

  test.each([
    { name: 'an empty file', given: Buffer.alloc(0), want: 'it is empty' },
    {
      name: 'a text',
      given: Buffer.from('hello\n'),
      want: 'it is not a .tar.gz file, or its start is damaged',
    },
    {
      name: 'a gzip of a text',
      given: gzipSync('hello\n'),
      want: 'it is not a .tar.gz file, or its start is damaged',
    },
    {
      name: 'a gzip of nothing but zeros',
      given: gzipSync(Buffer.alloc(10_000, 1)),
      want: 'it is not a .tar.gz file, or its start is damaged',
    },
  ])('that is none is refused: $name', async ({ given, want }) => {
    const bundle = await read(given);

    expect(bundle.ok).toBe(false);
    expect(bundle).toMatchObject({ problems: [{ code: 'support/bundle-unreadable' }] });
    expect(JSON.stringify(bundle)).toContain(want);
  });

  it('is rejected without a record or a journal', async () => {
    expect(await read(await madeBundle({ 'b/notes.txt': 'x' }))).toMatchObject({
      problems: [{ code: 'support/not-a-bundle' }],
    });
  });

  it('is reported if it does not exist', async () => {
    expect(await readBundle('/nonexistent/bundle.tar.gz')).toMatchObject({
      problems: [{ code: 'support/bundle-unreadable' }],
    });
  });
});

describe('limits', () => {
  const small = { totalBytes: 64 * 1024, entries: 3, keptBytes: 60, keptBytesOf: () => 24 };
  const source = (bytes: Buffer) => Readable.from([bytes]);

  it('stop the extraction of a large archive', async () => {
    const bomb = await madeBundle({ zeros: '0'.repeat(1_000_000) });
    expect(bomb.length).toBeLessThan(5000);
    expect(await readTarGz(source(bomb), small)).toMatchObject({ end: 'too-large' });
  });

  it('neither are more entries than there may be', async () => {
    const many = await madeBundle({ a: '1', b: '2', c: '3', d: '4' });
    expect(await readTarGz(source(many), small)).toMatchObject({ end: 'too-large' });
  });

  it('of a large file, the end is kept, from the beginning of a line', async () => {
    const lines = Array.from({ length: 2000 }, (_, n) => `line ${n}`).join('\n');
    const { files, end } = await readTarGz(source(await madeBundle({ log: lines })), small);
    expect({ files, end }).toEqual({
      files: [{ path: 'log', sizeBytes: lines.length, text: 'line 1998\nline 1999' }],
      end: 'whole',
    });
  });

  it('of all texts together, no more is kept than there may be', async () => {
    const log = 'a line of it\n'.repeat(100);
    const bytes = await madeBundle({ a: log, b: log, c: log });
    const { files, isCut, end } = await readTarGz(source(bytes), small);
    expect({ texts: files.map(({ text }) => text), isCut, end }).toEqual({
      texts: ['a line of it\n', 'a line of it\n', ''],
      isCut: true,
      end: 'whole',
    });
  });

  it('list other files without their text', async () => {
    const { files } = await readTarGz(source(await madeBundle({ log: 'text', empty: '' })), {
      ...small,
      keptBytesOf: (path) => (path === 'log' ? 0 : 10),
    });
    expect(files).toEqual([
      { path: 'log', sizeBytes: 4 },
      { path: 'empty', sizeBytes: 0, text: '' },
    ]);
  });
});

describe('a folder', () => {
  it('is read like the archive it was unpacked from, without following links', async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'log-bundle-1/bootstrap/services'), { recursive: true });
    writeFileSync(join(folder, 'log-bundle-1/bootstrap/services/bootkube.json'), record);
    symlinkSync('/etc/hostname', join(folder, 'log-bundle-1/bootstrap/services/release-image.json'));

    const bundle = await readBundle(folder);

    expect(bundle.ok && bundle.value.files).toEqual([
      { path: 'bootstrap/services/bootkube.json', sizeBytes: record.length, text: record },
    ]);
  });
});
