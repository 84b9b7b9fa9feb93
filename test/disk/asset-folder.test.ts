import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { nodeFilesList } from '../../src/manifests/enrich/node-files-list.js';
import { openAssetFolder } from '../../src/disk/asset-folder.js';
import { scratchFolder } from '../support/scratch.js';
import { expectOk } from '../support/sound-value.js';

const list = 'bootstrap-in-place/node-files.list';

function folderWith(paths: readonly string[]): string {
  const dir = scratchFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), path);
  }
  return dir;
}

function open(dir: string) {
  return expectOk(openAssetFolder(dir));
}

test.each([
  {
    name: 'the root of a live system',
    parts: { openshift: 'opt/openshift', kubernetes: 'etc/kubernetes', bin: 'usr/local/bin', other: 'other' },
  },
  {
    name: 'a folder with the parts by name',
    parts: { openshift: 'openshift', kubernetes: 'kubernetes', bin: 'bin', other: 'other' },
  },
])('$name: reads each source in its folder', ({ parts }) => {
  const dir = folderWith([
    `${parts.openshift}/${list}`,
    ...Object.values(parts).map((part) => `${part}/a/b`),
  ]);
  const folder = open(dir);
  expect(folder.pathOf(nodeFilesList)).toBe(join(dir, parts.openshift, list));
  for (const [source, place] of Object.entries(parts)) {
    expect(folder.read(`${source}/a/b`)).toEqual({ kind: 'file', bytes: Buffer.from(`${place}/a/b`) });
    expect(folder.list(`${source}/a/`)).toEqual({ kind: 'folder', names: ['b'] });
    expect(folder.read(`${source}/c`)).toEqual({ kind: 'absent' });
    expect(folder.list(`${source}/c/`)).toEqual({ kind: 'absent' });
  }
});

test('lists a folder like find -L: follows links, skips special files, broken links and loops', () => {
  const dir = folderWith([`openshift/${list}`, 'openshift/tls/b', 'openshift/tls/a/c', 'elsewhere/d/e']);
  const tls = join(dir, 'openshift/tls');
  symlinkSync('../../elsewhere/d', join(tls, 'linked'));
  symlinkSync('b', join(tls, 'also-b'));
  linkSync(join(tls, 'b'), join(tls, 'Z'));
  symlinkSync('nowhere', join(tls, 'dangling'));
  symlinkSync('..', join(tls, 'a/up'));
  symlinkSync('/dev/null', join(tls, 'device'));
  expect(open(dir).list('openshift/tls/')).toEqual({
    kind: 'folder',
    names: ['Z', 'a/c', 'also-b', 'b', 'linked/e'],
  });
});

test('reports unreadable paths', () => {
  const dir = folderWith([`openshift/${list}`, 'openshift/file']);
  mkdirSync(join(dir, 'openshift/folder'));
  chmodSync(join(dir, 'openshift/file'), 0o600);
  const folder = open(dir);
  expect(folder.list('openshift/file/')).toEqual({
    kind: 'unreadable',
    reason: 'it is a file, not a folder',
  });
  expect(folder.read('openshift/folder')).toEqual({
    kind: 'unreadable',
    reason: 'it is a folder, not a file',
  });
});
