import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { placeInJson } from '../../src/formats/json-place.js';

const text = `{
  "a": [1, "]\\\\\\"", { "b": null }],
  "c": {"d": -1.5e3 , "e":[]},
  "d": "twice", "d": true
}`;

describe('placeInJson', () => {
  it.each([
    { path: [], want: '1:1' },
    { path: ['a'], want: '2:8' },
    { path: ['a', 1], want: '2:12' },
    { path: ['a', 2, 'b'], want: '2:28' },
    { path: ['c', 'd'], want: '3:14' },
    { path: ['c', 'e'], want: '3:27' },
    { path: ['d'], want: '4:22' },
  ])('$path', ({ path, want }) => {
    const { line, col } = placeInJson(text, path);
    expect(`${line}:${col}`).toBe(want);
  });

  it.each([
    { name: 'the name of a member', path: ['c', 'e'], want: '3:23' },
    { name: 'an item, which has none', path: ['a', 2], want: '2:21' },
    { name: 'a name that is not there', path: ['c', 'x'], want: '3:8' },
    { name: 'an item that is not there', path: ['a', 7], want: '2:8' },
    { name: 'a member of a text', path: ['d', 'x'], want: '4:22' },
  ])('of $name', ({ path, want }) => {
    const { line, col } = placeInJson(text, path, 'key');
    expect(`${line}:${col}`).toBe(want);
  });

  it('finds every value of any JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        for (const { path, value: found } of valuesIn(JSON.parse(json), [])) {
          const { line, col } = placeInJson(json, path);
          const rest = json
            .split('\n')
            .slice(line - 1)
            .join('\n')
            .slice(col - 1);
          const start = JSON.stringify(found, undefined, indent).split('\n')[0] ?? '';
          expect(rest.startsWith(start)).toBe(true);
        }
      }),
    );
  });

  it('is not lost in what is deep or long', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(placeInJson(`{"a": ${deep},\n"b": 1}`, ['b'])).toEqual({ line: 2, col: 6 });
    expect(placeInJson(`{"a": "${'\\"'.repeat(1_000_000)}",\n"b": 1}`, ['b'])).toEqual({ line: 2, col: 6 });
  });
});

interface Found {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

function valuesIn(value: unknown, path: Found['path']): readonly Found[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const members: readonly [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [{ path, value }, ...members.flatMap(([step, member]) => valuesIn(member, [...path, step]))];
}
