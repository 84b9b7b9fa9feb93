import { fstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { syncFolder, writeDurably } from '../../src/disk/write-durably.js';
import { replaceFsCalls, failing, systemError } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';
import { underUmask } from '../support/under-umask.js';

/** Records, in order, the calls on files that are opened until the test ends. */
function recordedCalls(): readonly string[] {
  const done: string[] = [];
  replaceFsCalls(({ openSync, writeSync, fsyncSync, closeSync }) => ({
    openSync: (path, flags, mode) => {
      done.push(`open ${String(flags)}`);
      return openSync(path, flags, mode);
    },
    writeSync: ((file: number, bytes: Uint8Array, offset: number) => {
      done.push(`write from ${offset}`);
      return writeSync(file, bytes, offset, Math.min(4, bytes.length - offset));
    }) as typeof writeSync,
    fsyncSync: (file) => {
      done.push(`sync ${fstatSync(file).isDirectory() ? 'folder' : 'file'}`);
      fsyncSync(file);
    },
    closeSync: (file) => {
      done.push('close');
      closeSync(file);
    },
  }));
  return done;
}

describe('a durable file', () => {
  it.each([
    ['text', 'ten \u00e9 bytes'.slice(0, 9)],
    ['bytes', new Uint8Array([0, 255, 10, 13, 0, 7, 8, 9, 1, 2])],
  ])('of %s is complete after short writes, and synced before it is closed', (_kind, contents) => {
    const path = join(scratchFolder(), 'file');
    const done = recordedCalls();
    writeDurably(path, contents, 0o600);
    expect(readFileSync(path).equals(Buffer.from(contents as string))).toBe(true);
    expect(done.slice(0, 6)).toEqual([
      'open wx',
      'write from 0',
      'write from 4',
      'write from 8',
      'sync file',
      'close',
    ]);
  });

  it.each([0o600, 0o644, 0o666])('has mode %o with any umask', (mode) => {
    const path = join(scratchFolder(), 'file');
    underUmask(0o077, () => {
      writeDurably(path, '', mode);
    });
    expect(statSync(path).mode & 0o7777).toBe(mode);
  });

  it('does not replace another file', () => {
    const path = join(scratchFolder(), 'file');
    writeFileSync(path, 'theirs');
    expect(() => {
      writeDurably(path, 'ours', 0o600);
    }).toThrow(expect.objectContaining({ code: 'EEXIST' }) as Error);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('is closed if the disk is full, which is reported', () => {
    const path = join(scratchFolder(), 'file');
    const closed: number[] = [];
    replaceFsCalls(({ closeSync }) => ({
      writeSync: failing('ENOSPC'),
      closeSync: (file) => {
        closed.push(file);
        closeSync(file);
      },
    }));
    expect(() => {
      writeDurably(path, 'ours', 0o600);
    }).toThrow(expect.objectContaining({ code: 'ENOSPC' }) as Error);
    expect(closed).toHaveLength(1);
  });
});

describe('the entries of a folder', () => {
  it('are synced', () => {
    const folder = scratchFolder();
    const done = recordedCalls();
    syncFolder(folder);
    expect(done).toEqual(['open r', 'sync folder', 'close']);
  });

  it('are not synced without a folder', () => {
    const done = recordedCalls();
    syncFolder(join(scratchFolder(), 'missing'));
    expect(done).toEqual([]);
  });

  it.each(['EINVAL', 'EPERM'])(
    'are accepted if the file system reports %s, and the folder is closed',
    (code) => {
      const closed: number[] = [];
      replaceFsCalls(({ closeSync }) => ({
        fsyncSync: failing(code),
        closeSync: (file) => {
          closed.push(file);
          closeSync(file);
        },
      }));
      syncFolder(scratchFolder());
      expect(closed).toHaveLength(1);
    },
  );

  it('are reported if the disk fails', () => {
    const folder = scratchFolder();
    replaceFsCalls(() => ({
      fsyncSync: () => {
        throw systemError('EIO');
      },
    }));
    expect(() => {
      syncFolder(folder);
    }).toThrow(expect.objectContaining({ code: 'EIO' }) as Error);
  });
});
