import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { type GitRunner, type GitBlobs, gitBlobs, openRevision } from '../../../src/disk/git/git-revision.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const sites = Array.from({ length: 1200 }, (_, index) => `s-${index.toString().padStart(4, '0')}`);
const odd: Readonly<Record<string, string>> = {
  'a b\n"c"/é.yaml': 'odd: name\n',
  'empty.yaml': '',
  'image.iso': '\0\n\0 blob 3\n',
  'z/last.yaml': 'last\n',
};

describeWith(['git'], 'files of a Git revision', () => {
  let folder = '';

  beforeAll(() => {
    folder = scratchFolder();
    const texts = {
      ...odd,
      ...Object.fromEntries(sites.map((name) => [`sites/${name}/c.yaml`, `${name}\n`])),
    };
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync('../z/last.yaml', join(folder, 'sites/link.yaml'));
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'sites');
  });

  function git(...args: readonly string[]): Buffer {
    const { stdout, status } = spawnSync('git', ['-C', folder, ...args], { maxBuffer: 2 ** 26 });
    expect(status).toBe(0);
    return stdout;
  }

  /** `asked` counts the calls of git. */
  function opened(): { readonly files: GitBlobs; readonly calls: () => number } {
    let calls = 0;
    const ask: GitRunner = (args, input) => {
      calls += 1;
      return spawnSync('git', ['-C', folder, ...args], { input, maxBuffer: 2 ** 26 }).stdout;
    };
    const listed = git('ls-tree', '-r', '-z', '--full-tree', 'HEAD').toString('utf8');
    return { files: gitBlobs(listed, ask), calls: () => calls };
  }

  it('are read one after another by a few processes', () => {
    const { files, calls } = opened();
    for (const name of sites) expect(files.read(`sites/${name}/c.yaml`)?.toString()).toBe(`${name}\n`);
    expect(calls()).toBe(3);
  });

  it('are read in any order and with any name', () => {
    const { files } = opened();
    const wanted = { ...odd, 'sites/s-1199/c.yaml': 's-1199\n', 'sites/s-0000/c.yaml': 's-0000\n' };
    for (const [path, text] of Object.entries(wanted)) expect(files.read(path)?.toString()).toBe(text);
    for (const path of ['nothing.yaml', 'sites', 'sites/s-0000']) expect(files.read(path)).toBeUndefined();
    const all = files.readAll([...Object.keys(wanted), 'nothing.yaml']);
    expect(Object.fromEntries([...all].map(([path, bytes]) => [path, bytes.toString()]))).toEqual(wanted);
  });

  it('are listed by folder, and links followed', () => {
    const revision = openRevision(join(folder, 'sites'), 'HEAD');
    if (!revision.ok) throw new Error('not opened');
    const { list, read } = revision.value;
    expect(list('.')).toEqual(['link.yaml', ...sites.map((name) => `${name}/`)]);
    expect(list('s-0007/')).toEqual(['c.yaml']);
    expect(list('../z')).toEqual(['last.yaml']);
    expect(list('nothing')).toBeUndefined();
    expect(read('link.yaml')?.toString()).toBe('last\n');
    expect(read('../../elsewhere')).toBe('outside');
  });
});
