import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { givenKits, holderOf, noteErased } from '../../../src/disk/keypool/given-notes.js';
import { newId, type PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { madePool } from '../../support/made-kits.js';
import { callsAre, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const id = newId();
let pool: PoolFolder;
beforeEach(() => {
  pool = madePool(scratchFolder());
});

const noteAt = (name: string): string => join(pool.given, id, name);

describe('a note which site has a kit', () => {
  it('is of the first that asks, for good', () => {
    expect(holderOf(pool, id, 'north-1')).toBe('ours');
    expect(holderOf(pool, id, 'south-1')).toBe('others');
    expect(holderOf(pool, id, 'north-1')).toBe('ours');
    expect(givenKits(pool)).toEqual(new Map([[id, 'north-1']]));
    expect([readFileSync(noteAt('given.json'), 'utf8'), statSync(noteAt('given.json')).mode & 0o777]).toEqual(
      ['{"site":"north-1"}\n', 0o600],
    );
    expect(readdirSync(pool.notes)).toEqual([]);
  });

  it('is made once', () => {
    holderOf(pool, id, 'north-1');
    // Where nothing can be made any more, a note is read all the same.
    callsAre(() => ({ mkdirSync: failing('EROFS') }));
    expect(holderOf(pool, id, 'north-1')).toBe('ours');
    expect(() => holderOf(pool, newId(), 'north-1')).toThrow('EROFS');
  });

  it.each(['', 'text', 'null', '{}', '{"site":1}'])('is of nobody as %j', (text) => {
    mkdirSync(join(pool.given, id), { recursive: true });
    writeFileSync(noteAt('given.json'), text);
    expect(holderOf(pool, id, 'north-1')).toBe('others');
    expect(givenKits(pool)).toEqual(new Map([[id, '']]));
  });

  it('is of nobody where it cannot be read', () => {
    mkdirSync(noteAt('given.json'), { recursive: true });
    expect([holderOf(pool, id, 'north-1'), givenKits(pool).get(id)]).toEqual(['others', '']);
  });
});

describe('a kit whose keys are kept elsewhere', () => {
  it('is noted as erased, for its site', () => {
    holderOf(pool, id, 'north-1');
    noteErased(pool, id);
    expect([holderOf(pool, id, 'north-1'), holderOf(pool, id, 'south-1')]).toEqual(['erased', 'others']);
    expect([readFileSync(noteAt('erased'), 'utf8'), statSync(noteAt('erased')).mode & 0o777]).toEqual([
      '',
      0o600,
    ]);
    noteErased(pool, id);
    expect(holderOf(pool, id, 'north-1')).toBe('erased');
  });

  it('is not noted where nobody has it', () => {
    noteErased(pool, id);
    expect(existsSync(join(pool.given, id))).toBe(false);
  });

  it('is noted once by runs that do it at the same time', () => {
    holderOf(pool, id, 'north-1');
    callsAre(({ existsSync: isThere }) => ({
      existsSync: (path) => !String(path).endsWith('erased') && isThere(path),
    }));
    noteErased(pool, id);
    expect(() => {
      noteErased(pool, id);
    }).not.toThrow();
  });

  it('is not noted where nothing can be written', () => {
    holderOf(pool, id, 'north-1');
    callsAre(() => ({ openSync: failing('ENOSPC') }));
    expect(() => {
      noteErased(pool, id);
    }).toThrow('ENOSPC');
  });
});
