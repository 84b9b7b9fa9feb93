import { mkdirSync, type Stats, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { geteuid } from 'node:process';

import { beforeEach, describe, expect, it } from 'vitest';

import { readNamedFile, readNamedText } from '../../src/disk/named-file.js';
import { sourceText } from '../../src/disk/source-text.js';
import { whyUntrusted } from '../../src/disk/trust.js';
import { replaceFsCalls, processIs } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

describe('a file named on the command line', () => {
  it('is read as bytes or as text', () => {
    const path = join(folder, 'key');
    writeFileSync(path, 'k\u00e9y\n');
    expect(readNamedFile('--key', path)).toMatchObject({ ok: true, value: Buffer.from('k\u00e9y\n') });
    expect(readNamedText('--key', path)).toMatchObject({ ok: true, value: 'k\u00e9y\n' });
  });

  it.each([readNamedFile, readNamedText])('reports read errors with its option', (read) => {
    mkdirSync(join(folder, 'sub'));
    const messages = ['missing', 'sub'].map((name) => {
      const found = read('--key', join(folder, name));
      return found.ok ? 'read' : found.problems.map(({ code, message }) => `${code} ${message}`).join('\n');
    });
    expect(messages).toEqual([
      `usage/unreadable-file --key ${join(folder, 'missing')} cannot be read: it does not exist`,
      `usage/unreadable-file --key ${join(folder, 'sub')} cannot be read: it is a folder, not a file`,
    ]);
  });
});

describe('the text of the file of a problem', () => {
  it('is returned for a path below the directory and for an absolute path', () => {
    writeFileSync(join(folder, 'a.yaml'), '\ufeffa: \u00fc\n');
    expect(sourceText(folder, 'a.yaml')).toBe('a: \u00fc\n');
    expect(sourceText('/nowhere', join(folder, 'a.yaml'))).toBe('a: \u00fc\n');
  });

  it('is absent for missing files, other file types, and files larger than 4 MiB', () => {
    for (const [name, size] of [
      ['large', 4 * 1024 * 1024 + 1],
      ['fits', 4 * 1024 * 1024],
    ] as const) {
      writeFileSync(join(folder, name), '');
      truncateSync(join(folder, name), size);
    }
    const shown = ['missing', '.', 'large', 'fits'].map((name) => sourceText(folder, name)?.length);
    expect(shown).toEqual([undefined, undefined, undefined, 4 * 1024 * 1024]);
  });
});

describe('a file that controls the outputs', () => {
  const owner = geteuid?.() ?? 0;
  const file = (mode: number, uid = owner): Stats =>
    Object.assign(statSync(folder), { mode: 0o100_000 + mode, uid });

  it.each([0o600, 0o644, 0o755, 0o400])('is accepted with mode %o', (mode) => {
    expect(whyUntrusted(file(mode), folder)).toBeUndefined();
  });

  it.each([
    [0o620, '0620'],
    [0o602, '0602'],
    [0o666, '0666'],
    [0o4020, '4020'],
  ])('is rejected with mode %o', (mode, shown) => {
    expect(whyUntrusted(file(mode), folder)).toBe(`other users can write to it (mode ${shown})`);
  });

  it('is accepted with any mode on file systems without modes', () => {
    replaceFsCalls(() => ({ fchmodSync: () => undefined }));
    expect(whyUntrusted(file(0o666), folder)).toBeUndefined();
  });

  it('must belong to root, the caller or the owner of the folder', () => {
    processIs({ geteuid: () => owner + 1 });
    const reasons = [0, owner + 1, owner, owner + 2].map((uid) => whyUntrusted(file(0o600, uid), folder));
    expect(reasons).toEqual([
      undefined,
      undefined,
      undefined,
      `it belongs to user ${owner + 2}, neither you nor the owner of its folder`,
    ]);
  });
});
