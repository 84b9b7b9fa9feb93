import { describe, expect, it } from 'vitest';

import {
  countShape,
  listShape,
  objectShape,
  recordShape,
  textShape,
  timeShape,
  booleanShape,
  type Shape,
} from '../../../src/disk/state/state-shape.js';
import { secrets } from '../../support/secret-corpus.js';

const sound = (shape: Shape, values: readonly unknown[]): readonly unknown[] =>
  values.filter((value) => shape(value, 'at') === undefined);

const nothings = [undefined, null, [], {}, Symbol.iterator];

describe('the shape of', () => {
  it.each<readonly [string, Shape, string, readonly unknown[], readonly unknown[]]>([
    ['a text', textShape(), 'text', ['', 'a'], [1, true]],
    [
      'a text of some form',
      textShape('a word', (each) => /^\w+$/.test(each)),
      'a word',
      ['a'],
      ['', 'a b', 1],
    ],
    [
      'a count',
      countShape,
      'a whole number',
      [0, 1, Number.MAX_SAFE_INTEGER],
      [-1, 0.5, NaN, Infinity, 2 ** 53, '1', true],
    ],
    ['a truth', booleanShape, 'true or false', [true, false], ['true', 0, 1]],
    [
      'a time',
      timeShape,
      'an RFC 3339 time such as 2026-01-02T03:04:05Z',
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678Z'],
      [
        '2026-01-02',
        '2026-01-02T03:04:05',
        '2026-01-02T03:04:05+01:00',
        '2026-13-02T03:04:05Z',
        '2026-01-02T25:04:05Z',
        '2026-01-02TZ',
        '02026-01-02T03:04:05Z',
        '+002026-01-02T03:04:05Z',
        '2026-01-02T03:04:05Z\n',
        '2026-01-02T03:04:05Z (noon)',
        20260102,
      ],
    ],
  ])('%s', (_name, shape, expected, good, bad) => {
    expect(sound(shape, [...good, ...bad, ...nothings])).toEqual(good);
    const faults = [...bad, ...nothings].map((value) => shape(value, 'draws.clock'));
    expect(faults).toEqual(faults.map(() => ({ path: 'draws.clock', expected })));
  });
});

describe('a list', () => {
  it('is valid if every item has the shape', () => {
    expect(sound(listShape(countShape), [[], [1], [1, 2]])).toEqual([[], [1], [1, 2]]);
  });

  it('is rejected at the first invalid item', () => {
    expect(listShape(countShape)([1, 'a', 'b'], 'sizes')).toEqual({
      path: 'sizes[1]',
      expected: 'a whole number',
    });
  });

  it.each([undefined, null, {}, { length: 0 }, 'a', 1])('is not %j', (value) => {
    expect(listShape(countShape)(value, 'sizes')).toEqual({ path: 'sizes', expected: 'a list' });
  });
});

const noObjects = [undefined, null, [], 'a', 1, true];

describe('a map', () => {
  const sizes = recordShape(
    countShape,
    textShape('a lower name', (name) => name === name.toLowerCase()),
  );

  it('is valid if every name and value has the shape', () => {
    expect(sound(recordShape(countShape), [{}, { a: 1 }, { A: 2, b: 3 }])).toEqual([
      {},
      { a: 1 },
      { A: 2, b: 3 },
    ]);
    expect(sound(sizes, [{ a: 1, 'b/c': 2 }])).toEqual([{ a: 1, 'b/c': 2 }]);
  });

  it('is rejected at the first invalid name or value', () => {
    const aCount = 'a whole number';
    expect(sizes({ a: 1, b: 'x', C: 1 }, 'sizes')).toEqual({ path: 'sizes.b', expected: aCount });
    expect(sizes({ a: 1, C: 'x' }, 'sizes')).toEqual({ path: 'sizes.C', expected: 'a lower name' });
    expect(sizes({ a: 'x' }, '')).toEqual({ path: 'a', expected: aCount });
  });

  it.each([secrets.opensshKey.text, 'two words', ''])(
    'is rejected without the invalid name in the error: %#',
    (name) => {
      expect(recordShape(countShape)({ [name]: 'x' }, 'sizes')?.path).toBe('sizes.\u2026');
      expect(recordShape(countShape)({ [name]: 'x' }, '')?.path).toBe('\u2026');
    },
  );

  it.each(noObjects)('is not %j', (value) => {
    expect(sizes(value, 'sizes')).toEqual({ path: 'sizes', expected: 'an object' });
  });
});

describe('an object with fixed members', () => {
  const image = objectShape({ name: textShape(), bytes: countShape }, { isExact: booleanShape });

  it('requires its members and accepts others', () => {
    const good = [
      { name: 'a', bytes: 1 },
      { name: 'a', bytes: 1, isExact: false, more: [] },
    ];
    expect(sound(image, good)).toEqual(good);
    expect(sound(objectShape({}), [{}, { a: 1 }])).toEqual([{}, { a: 1 }]);
    expect(image({ name: 'a', bytes: 1, isExact: undefined }, 'image')).toBeUndefined();
  });

  it('is rejected at the first missing or invalid member', () => {
    const path = 'image.bytes';
    expect(image({ name: 'a' }, 'image')).toEqual({ path, expected: 'a whole number' });
    expect(image({ name: 'a', bytes: '1', isExact: 1 }, 'image')).toEqual({
      path,
      expected: 'a whole number',
    });
    expect(image({ bytes: '1' }, '')).toEqual({ path: 'name', expected: 'text' });
  });

  it('is rejected at an invalid optional member', () => {
    const wrong = (isExact: unknown) => image({ name: 'a', bytes: 1, isExact }, 'image');
    for (const value of [null, 1, 'true'])
      expect(wrong(value)).toEqual({ path: 'image.isExact', expected: 'true or false' });
  });

  it.each(noObjects)('is not %j', (value) => {
    expect(image(value, 'image')).toEqual({ path: 'image', expected: 'an object' });
  });
});
