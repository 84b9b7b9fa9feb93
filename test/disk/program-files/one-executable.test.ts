import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import * as ofPackage from '../../../src/disk/program-files/package.js';
import * as ofSingleFile from '../../../src/disk/program-files/single-file.js';
import * as ofTemplates from '../../../src/disk/program-files/templates.js';
import { scratchFolder } from '../../support/scratch.js';

/** The assets of the executable. */
const parts: Readonly<Record<string, string>> = {
  [['dist', 'build-id'].join('/')]: 'a1b2',
  templates: ['live/motd', 'live/units/b.service', 'live/units/a.service', 'live-2/other', 'page'].join('\n'),
  'templates/live/motd': 'welc\u00f6me',
  'templates/live/units/a.service': '[Unit]',
};

let own = { ...ofPackage, ...ofTemplates, ...ofSingleFile };
let asText = false;

/** `getRawAsset` as Node.js implements it in an executable. Source: nodejs.org/api/single-executable-applications.html */
function rawAsset(name: string): string | ArrayBuffer {
  const text = parts[name];
  if (text === undefined) throw new Error(`there is no ${name}`);
  return asText ? text : new Uint8Array(Buffer.from(text)).buffer;
}

// The module checks once, on load, whether the program is a single executable. Load it again here, and once more afterwards.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('node:sea', () => ({ isSea: () => true, getRawAsset: rawAsset }));
  own = {
    ...(await import('../../../src/disk/program-files/package.js')),
    ...(await import('../../../src/disk/program-files/single-file.js')),
    ...(await import('../../../src/disk/program-files/templates.js')),
  };
});

afterAll(() => {
  vi.doUnmock('node:sea');
  vi.resetModules();
});

describe('a program in one executable file', () => {
  it('has all files below its own path', () => {
    expect([own.isSingleFile, own.templatesFolder(), own.programFile()]).toEqual([
      true,
      join(process.execPath, 'templates'),
      join(process.execPath, 'dist', 'cli.js'),
    ]);
  });

  it('knows its build', () => {
    expect(own.buildId()).toBe('a1b2');
  });

  it.each([false, true])('returns embedded files as bytes, stored as text or not: %s', (isText) => {
    asText = isText;
    expect(own.partOf('templates/live/motd')).toEqual(Buffer.from('welc\u00f6me'));
    asText = false;
  });

  it('has no other files', () => {
    expect(() => own.partOf('templates/none')).toThrow('there is no templates/none');
  });

  it('lists its embedded constant files', () => {
    const templates = own.templatesFrom(own.templatesFolder());
    expect(templates.list('live')).toEqual(['motd', 'units/a.service', 'units/b.service']);
    expect(templates.list('live/units')).toEqual(['a.service', 'b.service']);
    expect(templates.list('')).toEqual([
      'live-2/other',
      'live/motd',
      'live/units/a.service',
      'live/units/b.service',
      'page',
    ]);
    expect(Buffer.from(templates.read('live/units/a.service')).toString()).toBe('[Unit]');
  });

  it('reads files of other folders from the disk', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'live'));
    writeFileSync(join(folder, 'live/motd'), 'of the disk');
    const templates = own.templatesFrom(folder);
    expect([templates.list(''), Buffer.from(templates.read('live/motd')).toString()]).toEqual([
      ['live/motd'],
      'of the disk',
    ]);
  });
});
