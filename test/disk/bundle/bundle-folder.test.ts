import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { failure, success, type Failure } from '../../../src/core/result.js';
import {
  createBundleFolder,
  notWritable,
  type BundleFolder,
} from '../../../src/disk/bundle/bundle-folder.js';
import { KeyPem } from '../../../src/formats/keys/key-pem.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

function unwritable(message: string): Failure {
  const hint = 'free disk space or grant write permission, or name another directory with --dir';
  return failure({ code: 'dir/not-writable', severity: 'error', message, hint });
}

function made(dir = scratchFolder()): BundleFolder {
  return expectOk(createBundleFolder(dir));
}

const pathOf = (folder: BundleFolder): string => dirname(folder.knownHostsFile);

async function write(folder: BundleFolder, bytes: Uint8Array): Promise<void> {
  await pipeline([bytes], folder.openArchive());
}

describe('a folder for a bundle', () => {
  it('is created in a private directory', () => {
    const dir = join(scratchFolder(), 'a/b');
    const folder = made(relative('.', dir));
    expect(dirname(pathOf(folder))).toBe(dir);
    expect(basename(folder.knownHostsFile)).toBe('known_hosts');
    expect([dirname(dir), dir, pathOf(folder)].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  });

  it('has mode 0700 with any umask', () => {
    replaceFsCalls(({ mkdtempSync, chmodSync }) => ({
      mkdtempSync: ((prefix: string) => {
        const path = mkdtempSync(prefix);
        chmodSync(path, 0o755);
        return path;
      }) as typeof mkdtempSync,
    }));
    expect(modeOf(pathOf(made()))).toBe(0o700);
  });

  it('contains keys with separate names and mode 0600', () => {
    const folder = made();
    const paths = ['one', 'two'].map((key) => folder.addKey(new KeyPem(key)));
    expect(paths.map((path) => [dirname(path), readFileSync(path, 'utf8'), modeOf(path)])).toEqual([
      [pathOf(folder), 'one', 0o600],
      [pathOf(folder), 'two', 0o600],
    ]);
  });

  it('does not overwrite an existing key', () => {
    const folder = made();
    writeFileSync(join(pathOf(folder), 'key-0'), 'of somebody else');
    expect(() => folder.addKey(new KeyPem('one'))).toThrow('EEXIST');
    expect(readFileSync(join(pathOf(folder), 'key-0'), 'utf8')).toBe('of somebody else');
  });

  it('contains the bundle with mode 0600, written only once', async () => {
    const folder = made();
    await write(folder, Buffer.from('bytes'));
    const [name = ''] = readdirSync(pathOf(folder));
    expect([readFileSync(join(pathOf(folder), name), 'utf8'), modeOf(join(pathOf(folder), name))]).toEqual([
      'bytes',
      0o600,
    ]);
    await expect(write(folder, Buffer.from('others'))).rejects.toThrow('EEXIST');
  });

  it('is removed with its content', async () => {
    const dir = scratchFolder();
    const folder = made(dir);
    folder.addKey(new KeyPem('one'));
    await write(folder, Buffer.from('bytes'));
    folder.remove();
    folder.remove();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is not created if a file has the name', () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    const dir = join(file, 'b');
    const reason = 'a component of its path is not a folder';
    expect(createBundleFolder(dir)).toEqual(unwritable(`cannot write in ${dir}: ${reason}`));
  });
});

const whole = gzipSync('a bundle');

describe('a written bundle', () => {
  it.each([
    { name: 'a gzip file', given: whole, want: true },
    { name: 'a gzip file that is cut off', given: whole.subarray(0, -1), want: false },
    { name: 'two concatenated gzip files', given: Buffer.concat([whole, whole]), want: true },
    { name: 'a text', given: Buffer.from('ssh: connection refused'), want: false },
    { name: 'nothing', given: Buffer.alloc(0), want: false },
  ])('is complete or not: $name', async ({ given, want }) => {
    const folder = made();
    await write(folder, given);
    expect(await folder.isWhole()).toBe(want);
  });

  it('is incomplete if it is missing', async () => {
    expect(await made().isWhole()).toBe(false);
  });

  it('is renamed to its final name', async () => {
    const dir = scratchFolder();
    const folder = made(dir);
    await write(folder, whole);
    const path = join(dir, 'log-bundle.tar.gz');
    expect(folder.keepAs('log-bundle.tar.gz')).toEqual(success({ path, bytes: whole.length }));
    folder.remove();
    expect(readFileSync(path)).toEqual(whole);
    expect(readdirSync(dir)).toEqual(['log-bundle.tar.gz']);
  });

  it('does not overwrite another bundle', async () => {
    const dir = scratchFolder();
    const path = join(dir, 'log-bundle.tar.gz');
    writeFileSync(path, 'of somebody else');
    const folder = made(dir);
    await write(folder, whole);
    const message = `${path} already exists and is not overwritten`;
    const hint = 'run the command again, or name another directory with --dir';
    const want = failure({ code: 'dir/file-exists', severity: 'error', message, hint });
    expect(folder.keepAs('log-bundle.tar.gz')).toEqual(want);
    expect(readFileSync(path, 'utf8')).toBe('of somebody else');
  });

  it('is not kept if no file can be created', async () => {
    const dir = scratchFolder();
    const folder = made(dir);
    await write(folder, whole);
    replaceFsCalls(() => ({ linkSync: failing('ENOSPC') }));
    const path = join(dir, 'log-bundle.tar.gz');
    expect(folder.keepAs('log-bundle.tar.gz')).toEqual(unwritable(`cannot write ${path}: the disk is full`));
    expect(existsSync(path)).toBe(false);
  });
});

it('reports write errors', () => {
  const error = Object.assign(new Error('EDQUOT'), { code: 'EDQUOT' });
  expect(notWritable('cannot write x', error)).toEqual(
    unwritable('cannot write x: the disk quota is exceeded'),
  );
});
