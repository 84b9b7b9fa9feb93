import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonPlaces } from '../../../src/formats/yaml/yaml.js';

const text = `{
  "a": [1, "]\\\\\\"", { "b": null }],
  "c": {"d": -1.5e3 , "e":[]},
  "d": true
}`;

describe('jsonPlaces', () => {
  it.each([
    { path: [], want: '1:1' },
    { path: ['a'], want: '2:3' },
    { path: ['a', 1], want: '2:12' },
    { path: ['a', 2, 'b'], want: '2:28' },
    { path: ['c', 'd'], want: '3:14' },
    { path: ['c', 'e'], want: '3:23' },
    { path: ['d'], want: '4:8' },
  ])('$path', ({ path, want }) => {
    const place = jsonPlaces(text)(path);
    expect(`${place?.line}:${place?.col}`).toBe(want);
  });

  it.each([
    { name: 'the name of a member', path: ['c', 'e'], want: '3:23' },
    { name: 'an item, which has none', path: ['a', 2], want: '2:21' },
    { name: 'a name that is not there', path: ['c', 'x'], want: '3:3' },
    { name: 'an item that is not there', path: ['a', 7], want: '2:3' },
    { name: 'a member of a text', path: ['d', 'x'], want: '4:3' },
  ])('of $name', ({ path, want }) => {
    const place = jsonPlaces(text)(path, 'key');
    expect(`${place?.line}:${place?.col}`).toBe(want);
  });

  it.each([
    { name: 'tabs', given: '{\n\t"a": {\n\t\t"b": 1\n\t}\n}', want: { line: 3, col: 8 } },
    {
      name: 'a name that stands twice, the first',
      given: '{"a":\n{"b": 1}, "a": 2}',
      want: { line: 2, col: 7 },
    },
    { name: 'a number without end', given: '{"a": {"b": 1e999}}', want: { line: 1, col: 13 } },
    {
      name: 'escapes and no space',
      given: '{"\\u0061":{"b":"\\/\\ud83d\\ude00"}}',
      want: { line: 1, col: 16 },
    },
    { name: 'brackets in the first column', given: '{"a":\n{\n"b":\n1\n}\n}', want: { line: 4, col: 1 } },
    {
      name: 'many levels',
      given: `{"c": ${'['.repeat(70)}${']'.repeat(70)}, "a": {"b": 1}}`,
      want: undefined,
    },
    { name: 'a raw line separator', given: '{"c": "\u2028", "a": {"b": 1}}', want: undefined },
  ])('with $name', ({ given, want }) => {
    expect(JSON.parse(given)).toBeTypeOf('object');
    expect(jsonPlaces(given)(['a', 'b'])).toEqual(want);
  });

  it('finds every value in JSON as programs write it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, 2, '\t'), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        const placeOf = jsonPlaces(json);
        for (const { path, value: found } of valuesIn(JSON.parse(json), [])) {
          if ((typeof found === 'object' && found !== null) || found === '') continue;
          const { line = 0, col = 0 } = placeOf(path) ?? {};
          const rest = json.split('\n')[line - 1]?.slice(col - 1) ?? '';
          expect(rest.startsWith(JSON.stringify(found))).toBe(true);
        }
      }),
    );
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
