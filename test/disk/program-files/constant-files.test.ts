import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildId, programFile, templatesFolder } from '../../../src/disk/program-files/package.js';
import { isSingleFile } from '../../../src/disk/program-files/single-file.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

describe('the package of the program', () => {
  it('is the nearest folder above its modules that has templates', () => {
    expect([templatesFolder(), programFile()]).toEqual([resolve('templates'), resolve('dist', 'cli.js')]);
    expect(isSingleFile).toBe(false);
  });

  it('may be several folders above them, or missing', () => {
    const reads: string[] = [];
    const templatesAre = (place: string | undefined): void => {
      replaceFsCalls(() => ({
        existsSync: (path) => {
          reads.push(String(path));
          return path === place;
        },
      }));
    };
    const above = resolve('..', 'templates');
    templatesAre(above);
    expect(templatesFolder()).toBe(above);
    templatesAre(undefined);
    expect(templatesFolder).toThrow('internal error: there is no folder templates above the program');
    expect(reads.at(-1)).toBe('/templates');
  });

  it('reports the recorded build', () => {
    replaceFsCalls(() => ({
      readFileSync: ((path: string, encoding: string) => `${path} as ${encoding}`) as typeof readFileSync,
    }));
    expect(buildId()).toBe(`${resolve('dist', 'build-id')} as utf8`);
  });

  it('reports no build without a record', () => {
    replaceFsCalls(() => ({ readFileSync: failing('ENOENT') }));
    expect(buildId()).toBeUndefined();
  });
});

describe('constant files', () => {
  it('are listed below a folder, in the same order on every machine', () => {
    const folder = scratchFolder();
    for (const inner of ['b/deep', 'B', 'a']) mkdirSync(join(folder, 'files', inner), { recursive: true });
    for (const path of ['b/deep/two', 'b/one', 'B/three', 'b-four', 'Z'])
      writeFileSync(join(folder, 'files', path), `text of ${path}`);
    writeFileSync(join(folder, 'beside'), '');
    const templates = templatesFrom(folder);

    expect(templates.list('files')).toEqual(['B/three', 'Z', 'b-four', 'b/deep/two', 'b/one']);
    expect(templates.list('')).toEqual(['beside', ...templates.list('files').map((path) => `files/${path}`)]);
    expect(templates.list('files/a')).toEqual([]);
    expect(Buffer.from(templates.read('files/b/deep/two')).toString()).toBe('text of b/deep/two');
  });

  it('are read once, as text', () => {
    const folder = scratchFolder();
    const path = join(folder, 'motd');
    writeFileSync(path, 'mötd\n');
    const templates = templatesFrom(folder);
    expect(templates.text('motd')).toBe('mötd\n');
    writeFileSync(path, 'another');
    expect([templates.text('motd'), templatesFrom(folder).text('motd')]).toEqual(['mötd\n', 'another']);
  });

  it('are an internal error if missing', () => {
    const templates = templatesFrom(scratchFolder());
    for (const act of [
      () => templates.list('files'),
      () => templates.read('motd'),
      () => templates.text('motd'),
    ])
      expect(act).toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
  });

  it('of this package are in its folder', () => {
    const templates = templatesFrom(templatesFolder());
    const [first = ''] = templates.list('page');
    expect(templates.read(`page/${first}`)).toEqual(readFileSync(join('templates/page', first)));
  });
});
