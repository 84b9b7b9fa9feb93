import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import type { TarEntry } from 'modern-tar';
import { describe, expect, it, test } from 'vitest';

import { failure, type Failure } from '../../../src/core/result.js';
import { readBundle } from '../../../src/disk/bundle/bundle-files.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { archiveAt, archiveOf, folderOf, journal, keptBytes, record } from './laid-bundle.js';

function unreadable(path: string, reason: string): Failure {
  const message = `the log bundle ${path} cannot be read: ${reason}`;
  const hint = 'copy it again, or create one with `sno-install gather --bootstrap HOST`';
  return failure({ code: 'support/bundle-unreadable', severity: 'error', message, hint });
}

const refusals: readonly { name: string; given: () => string; reason: string }[] = [
  { name: 'nothing', given: () => join(scratchFolder(), 'b'), reason: 'it does not exist' },
  { name: 'a device', given: () => '/dev/null', reason: 'it is not a regular file' },
  { name: 'an empty file', given: () => archiveAt(Buffer.alloc(0)), reason: 'it is empty' },
  {
    name: 'a text',
    given: () => archiveAt(Buffer.from('text')),
    reason: 'it is not a .tar.gz file, or its start is damaged',
  },
];

test.each(refusals)('rejects $name', async ({ given, reason }) => {
  const path = given();
  expect(await readBundle(path)).toEqual(unreadable(path, reason));
});

test('reports an archive that this user cannot read', async () => {
  const path = archiveAt(Buffer.from('text'));
  replaceFsCalls(() => ({ accessSync: failing('EACCES') }));
  expect(await readBundle(path)).toEqual(unreadable(path, 'permission denied'));
});

test.each([
  { name: 'an archive', given: async () => archiveAt(await archiveOf({ 'b/notes.txt': 'x' })) },
  { name: 'a folder', given: () => Promise.resolve(folderOf({ 'notes.txt': 'x' })) },
])('rejects $name without records and journals', async ({ given }) => {
  const path = await given();
  const message = `${path} contains neither service records nor journals, so it is not a log bundle`;
  const hint = 'name the unmodified bundle written by `gather`';
  const problems = [{ code: 'support/not-a-bundle', severity: 'error', message, hint }];
  expect(await readBundle(path)).toEqual({ ok: false, problems });
});

describe('a folder', () => {
  it('may contain a bundle and other files', async () => {
    const path = folderOf({ 'notes.txt': 'x', 'b/bootstrap/services/bootkube.json': '[]' });
    const read = await readBundle(path);
    expect(read.ok && read.value.files).toEqual([
      { path: 'bootstrap/services/bootkube.json', sizeBytes: 2, text: '[]' },
    ]);
  });

  it('may not contain several bundles', async () => {
    const path = folderOf({ 'b/bootstrap/journals/a.log': '', 'c/bootstrap/journals/a.log': '' });
    const message = `${path} contains 2 log bundles`;
    const hint = `name one of them, such as ${path}/b/`;
    const problems = [{ code: 'support/not-a-bundle', severity: 'error', message, hint }];
    expect(await readBundle(path)).toEqual({ ok: false, problems });
  });
});

describe('an archive', () => {
  it('has the name of its file and the texts for the analysis', async () => {
    const path = archiveAt(await archiveOf({ [record]: '[]', 'b/gather.log': 'gathering' }));
    expect(await readBundle(path)).toEqual({
      ok: true,
      value: {
        name: 'log-bundle-1.tar.gz',
        root: 'b/',
        isArchive: true,
        files: [
          { path: 'bootstrap/services/bootkube.json', sizeBytes: 2, text: '[]' },
          { path: 'gather.log', sizeBytes: 9 },
        ],
        bundleNotes: [],
      },
      warnings: [],
    });
  });

  const link: TarEntry = { header: { name: 'b/link', size: 0, type: 'symlink', linkname: 'x' } };
  it.each([
    {
      name: 'links',
      given: () => archiveOf({ [record]: '[]' }, [link, { header: { ...link.header, name: 'b/other' } }]),
      want: ['2 links and special files were skipped'],
    },
    {
      name: 'a truncated archive',
      given: async () => (await archiveOf({ [record]: '[]', 'b/x': noise })).subarray(0, -4000),
      want: ['the archive is cut off or damaged; only the part before that was read'],
    },
  ])('is read up to the damage, with a remark: $name', async ({ given, want }) => {
    const { files, bundleNotes } = expectOk(await readBundle(archiveAt(await given())));
    expect(files[0]).toEqual({ path: 'bootstrap/services/bootkube.json', sizeBytes: 2, text: '[]' });
    expect(bundleNotes).toEqual(want);
  });
});

/** Incompressible, so that cutting the archive cuts inside this file. */
const noise = Array.from({ length: 4000 }, (_, index) => (index * 2654435761).toString(36)).join('\n');

describe('a folder', () => {
  it('is listed in order without links, and only files for the analysis are read', async () => {
    const folder = folderOf({ [journal(2)]: 'two', 'notes.txt': 'x', [journal(1)]: 'one', empty: '' });
    symlinkSync('notes.txt', join(folder, 'link'));
    symlinkSync('bootstrap', join(folder, 'linked'));
    expect(expectOk(await readBundle(folder))).toEqual({
      name: 'log-bundle-2',
      root: '',
      files: [
        { path: journal(1), sizeBytes: 3, text: 'one' },
        { path: journal(2), sizeBytes: 3, text: 'two' },
        { path: 'empty', sizeBytes: 0 },
        { path: 'notes.txt', sizeBytes: 1 },
      ],
      bundleNotes: [],
    });
  });

  it('keeps the end of a large file, from the start of a line', async () => {
    const line = 'a line of a journal\n';
    const text = line.repeat(keptBytes / line.length + 1);
    const { files } = expectOk(await readBundle(folderOf({ [journal(1)]: text })));
    expect(files.map(({ sizeBytes }) => sizeBytes)).toEqual([text.length]);
    expect(files[0]?.text).toBe(line.repeat(Math.floor(keptBytes / line.length)));
  });

  it('keeps a file of exactly the size limit whole', async () => {
    const text = 'x'.repeat(keptBytes);
    const { files } = expectOk(await readBundle(folderOf({ [journal(1)]: text })));
    expect(files[0]?.text).toBe(text);
  });

  it('reports an unreadable folder', async () => {
    const folder = folderOf({ [journal(1)]: 'one' });
    replaceFsCalls(() => ({ readSync: failing('EIO') }));
    expect(await readBundle(folder)).toEqual(unreadable(folder, 'input/output error'));
  });
});
