import { describe, expect, test } from 'vitest';

import { template } from '../../src/formats/template.js';

describe('template', () => {
  test('puts values into the holes as they are, even values that look like holes or patterns', () => {
    const given = template('@@name@@ is @@age@@, says @@name@@; a@@b stays.\n', ['name', 'age']);
    expect(given.fill({ name: '$& @@age@@', age: '$1' })).toBe(
      '$& @@age@@ is $1, says $& @@age@@; a@@b stays.\n',
    );
  });

  test.each([
    { name: 'a hole that nobody declared', text: '@@name@@ @@other@@', want: 'other' },
    { name: 'a declared hole that is not there', text: 'nothing', want: 'name' },
  ])('refuses $name', ({ text, want }) => {
    expect(() => template(text, ['name'])).toThrow(
      `internal error: a template's holes differ from its declaration: ${want}`,
    );
  });
});
