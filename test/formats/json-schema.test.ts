import { describe, expect, it } from 'vitest';

import { compileSchema } from '../../src/formats/json-schema.js';

const schema = {
  type: 'object',
  properties: { count: { type: 'integer', maximum: 3 }, names: { type: 'array', items: { type: 'string' } } },
  required: ['count'],
  additionalProperties: false,
};

describe('compileSchema', () => {
  const cases = [
    { name: 'a value that keeps to it', given: { count: 3, names: ['a'] }, want: [] },
    {
      name: 'a missing member',
      given: {},
      want: [{ pointer: '', rule: "must have required property 'count'" }],
    },
    {
      name: 'several faults at once',
      given: { count: 4, names: ['a', 1] },
      want: [
        { pointer: '/count', rule: 'must be <= 3' },
        { pointer: '/names/1', rule: 'must be string' },
      ],
    },
  ];
  it.each(cases)('reports the faults of $name', async ({ given, want }) => {
    const check = await compileSchema(schema);
    expect(check(given)).toEqual(want);
  });
});
