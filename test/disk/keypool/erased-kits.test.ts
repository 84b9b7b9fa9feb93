import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { claimKit, freeKits } from '../../../src/disk/keypool/free-kits.js';
import { holderOf } from '../../../src/disk/keypool/given-notes.js';
import type { KeyKit } from '../../../src/disk/keypool/key-kit.js';
import type { PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { clearDrafts, eraseKit, eraseTaken } from '../../../src/disk/keypool/taken-kits.js';
import { addKit, madePool, needFor } from '../../support/made-kits.js';
import { callsAre, failing, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const need = needFor(['a']);
const place = { site: 'north-1', number: 1 };

let dir = '';
let pool: PoolFolder;
beforeEach(() => {
  dir = scratchFolder();
  pool = madePool(dir);
});

/** A kit that the site has by a number. */
async function taken(number = 1): Promise<KeyKit> {
  const kit = await addKit(pool, need);
  const [id = ''] = freeKits(pool)[0]?.ids ?? [];
  expect(claimKit(pool, { need, id }, { ...place, number })).toBe('claimed');
  return kit;
}

const folder = (number = 1): string => join(pool.taken, 'north-1', String(number));
const nameIn = (): string => readdirSync(folder())[0] ?? '';

/** The folder of the site cannot be taken away. */
function inUse(code: string): void {
  callsAre(({ rmdirSync }) => ({
    rmdirSync: (path, options) => {
      if (path === join(pool.taken, 'north-1')) throw systemError(code);
      rmdirSync(path, options);
    },
  }));
}

describe('a kit that is erased', () => {
  it('is overwritten, taken away and noted', async () => {
    const kits = [await taken(), await taken(2)];
    const copies = kits.map(({ id }, index) => {
      const path = join(folder(index + 1), `${id}.age`);
      linkSync(path, join(dir, id));
      return { path: join(dir, id), size: readFileSync(path).length };
    });
    eraseTaken(pool, 'north-1');
    for (const { path, size } of copies) expect(readFileSync(path)).toEqual(Buffer.alloc(size));
    expect([readdirSync(pool.taken), readdirSync(pool.drafts)]).toEqual([[], []]);
    for (const { id } of kits) expect(holderOf(pool, id, 'north-1')).toBe('erased');
  });

  it('is overwritten to its end by a system that writes a little at a time', async () => {
    const { id } = await taken();
    const path = join(dir, 'copy');
    linkSync(join(folder(), nameIn()), path);
    const size = readFileSync(path).length;
    callsAre(({ writeSync }) => ({
      writeSync: ((file: number, bytes: Buffer, from: number, length?: number, to?: number) =>
        writeSync(file, bytes, from, Math.min(length ?? bytes.length - from, 7), to)) as typeof writeSync,
    }));
    eraseKit(pool, place);
    expect(readFileSync(path)).toEqual(Buffer.alloc(size));
    expect(holderOf(pool, id, 'north-1')).toBe('erased');
  });

  it('of another site is not noted as its own', async () => {
    const { id } = await taken();
    holderOf(pool, id, 'south-1');
    eraseKit(pool, place);
    expect(existsSync(folder())).toBe(false);
    expect(holderOf(pool, id, 'south-1')).toBe('ours');
  });

  it('may be erased by another run at the same time', async () => {
    await taken();
    callsAre(({ renameSync }) => ({
      renameSync: (from, to) => {
        rmSync(from, { recursive: true });
        renameSync(from, to);
      },
    }));
    expect(() => {
      eraseKit(pool, place);
    }).not.toThrow();
    expect(() => {
      eraseTaken(pool, 'south-1');
    }).not.toThrow();
  });

  it('is noted although another took its place between', async () => {
    const { id } = await taken();
    const next = await addKit(pool, need);
    let moves = 0;
    callsAre(({ renameSync }) => ({
      renameSync: (from, to) => {
        if (String(from) === folder() && (moves += 1) === 1) {
          renameSync(from, join(dir, 'erased'));
          renameSync(join(pool.free, readdirSync(pool.free)[0] ?? '', next.id), from);
        }
        renameSync(from, to);
      },
    }));
    eraseKit(pool, place);
    for (const each of [id, next.id]) expect(holderOf(pool, each, 'north-1')).toBe('erased');
    expect(readdirSync(pool.drafts)).toEqual([]);
  });

  it.each(['ENOTEMPTY', 'EEXIST', 'ENOENT'])(
    'leaves the folder of a site that is in use (%s)',
    async (code) => {
      await taken();
      inUse(code);
      eraseTaken(pool, 'north-1');
      expect(readdirSync(join(pool.taken, 'north-1'))).toEqual([]);
    },
  );

  it('cannot be where nothing can be changed', async () => {
    await taken();
    inUse('EACCES');
    expect(() => {
      eraseTaken(pool, 'north-1');
    }).toThrow('EACCES');
  });
});

describe('what runs left on its way', () => {
  it('is overwritten and taken away, whatever it is', () => {
    mkdirSync(join(pool.drafts, 'half/folder'), { recursive: true });
    writeFileSync(join(pool.drafts, 'half/x.age'), 'a kit');
    linkSync(join(pool.drafts, 'half/x.age'), join(dir, 'copy'));
    mkdirSync(join(pool.drafts, 'empty'));
    clearDrafts(pool);
    expect([readdirSync(pool.drafts), readFileSync(join(dir, 'copy'))]).toEqual([[], Buffer.alloc(5)]);
  });

  it('may be taken away by another run at the same time', () => {
    mkdirSync(join(pool.drafts, 'half'), { recursive: true });
    writeFileSync(join(pool.drafts, 'half/x.age'), 'a kit');
    callsAre(({ openSync }) => ({
      openSync: (path, flags, mode) => {
        if (flags === 'r+') throw systemError('ENOENT');
        return openSync(path, flags, mode);
      },
    }));
    clearDrafts(pool);
    expect(readdirSync(pool.drafts)).toEqual([]);
  });

  it('stays where it cannot be overwritten', () => {
    mkdirSync(join(pool.drafts, 'half'), { recursive: true });
    writeFileSync(join(pool.drafts, 'half/x.age'), 'a kit');
    callsAre(() => ({ openSync: failing('EACCES') }));
    expect(() => {
      clearDrafts(pool);
    }).toThrow('EACCES');
    expect(readdirSync(join(pool.drafts, 'half'))).toEqual(['x.age']);
  });
});
