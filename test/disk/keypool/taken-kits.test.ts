import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { claimKit, freeKits } from '../../../src/disk/keypool/free-kits.js';
import * as kitFiles from '../../../src/disk/keypool/kit-files.js';
import { contentsOf } from '../../../src/disk/keypool/pool-contents.js';
import type { PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import * as soleFolder from '../../../src/disk/keypool/sole-folder.js';
import * as takenKits from '../../../src/disk/keypool/taken-kits.js';
import { addKit, madePool, needFor, opening } from '../../support/made-kits.js';
import { scratchFolder } from '../../support/scratch.js';

/** What another run does, once, before a kit's file is read, or before its folder is moved. */
const meanwhile: Record<'reading' | 'moving', (() => void)[]> = { reading: [], moving: [] };
const [kitFilesPath, soleFolderPath] = ['kit-files', 'sole-folder'].map(
  (name) => `../../../src/disk/keypool/${name}.js`,
) as [string, string];
let { openTaken, refuseKit } = takenKits;

// Files of tests share their modules: these are loaded anew, and those of others afterwards.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(kitFilesPath, () => ({
    ...kitFiles,
    openKit: (...args: Parameters<typeof kitFiles.openKit>) => {
      meanwhile.reading.pop()?.();
      return kitFiles.openKit(...args);
    },
  }));
  vi.doMock(soleFolderPath, () => ({
    ...soleFolder,
    moveFolder: (...args: Parameters<typeof soleFolder.moveFolder>) => {
      meanwhile.moving.pop()?.();
      return soleFolder.moveFolder(...args);
    },
  }));
  ({ openTaken, refuseKit } = await import('../../../src/disk/keypool/taken-kits.js'));
});

afterAll(() => {
  vi.doUnmock(kitFilesPath);
  vi.doUnmock(soleFolderPath);
  vi.resetModules();
});

const place = { site: 'north-1', number: 1 };
const need = needFor(['a']);
let pool: PoolFolder;
let ids: readonly string[] = [];

function claim(id = ''): void {
  expect(claimKit(pool, { need, id }, place)).toBe('claimed');
}

/** Another run of the site ends, and one behind it begins. */
function takeTheNext(): void {
  takenKits.eraseTaken(pool, place.site);
  claim(ids[1]);
}

beforeEach(async () => {
  pool = madePool(scratchFolder());
  await addKit(pool, need);
  await addKit(pool, need);
  ids = freeKits(pool)[0]?.ids ?? [];
  claim(ids[0]);
});

afterEach(() => {
  // What was to happen meanwhile has.
  expect(meanwhile).toEqual({ reading: [], moving: [] });
});

it('a kit in whose place another run of the site has put the next is not taken for a damaged one', async () => {
  meanwhile.reading.push(takeTheNext);

  expect(await openTaken(pool, place, opening)).toMatchObject({ kit: { id: ids[1] } });
});

it('a kit that another run of the site has erased is gone', async () => {
  meanwhile.reading.push(() => {
    takenKits.eraseTaken(pool, place.site);
  });

  expect(await openTaken(pool, place, opening)).toBeUndefined();
});

it.each(['before', 'while'] as const)(
  "the next kit is the site's, if it came %s the last is refused",
  async (when) => {
    if (when === 'before') takeTheNext();
    else meanwhile.moving.push(takeTheNext);
    refuseKit(pool, place, ids[0]);

    expect(contentsOf(pool).refused).toBe(0);
    expect(await openTaken(pool, place, opening)).toMatchObject({ kit: { id: ids[1] } });
  },
);

it('a kit that is refused stays for somebody to look at', async () => {
  refuseKit(pool, place, ids[0]);

  expect(contentsOf(pool).refused).toBe(1);
  expect(await openTaken(pool, place, opening)).toBeUndefined();
});
