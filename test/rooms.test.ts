import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { floors } from '../scripts/rooms.mjs';
import { trackedFiles } from './support/tracked-files.js';

const sources = trackedFiles('src').filter((file) => file.endsWith('.ts') && !file.includes('.generated.'));

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function roomOf(file: string): string {
  const below = file.replace(/^src\//, '');
  const room = floors.flat().find(({ path }) => new RegExp(`^${path}`).test(below));
  return room?.room ?? 'none';
}

function grouped(keyOf: (file: string) => string): ReadonlyMap<string, readonly string[]> {
  return sources.reduce(
    (groups, file) => groups.set(keyOf(file), [...(groups.get(keyOf(file)) ?? []), file]),
    new Map<string, readonly string[]>(),
  );
}

describe('the rooms of src', () => {
  it('have a place for every file', () => {
    expect(sources.filter((file) => roomOf(file) === 'none')).toEqual([]);
  });

  test.each([...grouped(roomOf)])('%s holds at most 4,500 lines by hand', (_room, files) => {
    expect(files.map(linesOf).reduce((sum, lines) => sum + lines, 0)).toBeLessThanOrEqual(4500);
  });

  test.each([...grouped(dirname)])('%s holds at most 25 files', (_folder, files) => {
    expect(files.length).toBeLessThanOrEqual(25);
  });

  it('have no file of more than 200 lines by hand', () => {
    expect(sources.filter((file) => linesOf(file) > 200)).toEqual([]);
  });
});

/** A declaration and a command bear the name of what they declare or start; problem codes that of their subject. */
const namesakes = /^src\/(assets|cli|core\/problem-codes)\//;

it('no bare name means different things in different rooms', () => {
  const shared = [...grouped((file) => basename(file))]
    .map(([name, files]) => [name, files.filter((file) => !namesakes.test(file))] as const)
    .filter(([, files]) => new Set(files.map(roomOf)).size > 1);
  expect(Object.fromEntries(shared)).toEqual({});
});

it('every exported function, type and constant says what it promises', () => {
  const silent =
    /(?<!\*\/\n(?:\/\/ [^\n]*\n)?)^export (?:(?:async )?function|const|class|interface|type) (\w+)/gm;
  const found = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(silent)].map(([, name = '']) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
