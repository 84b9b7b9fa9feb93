import { describe, expect, it } from 'vitest';

import { fieldAt, listAt, textAt } from '../../src/kube/fields.js';

const given = { spec: { text: 'a', empty: '', list: [1], number: 2, none: null } };

describe('fields of plain data', () => {
  it.each([
    { path: ['spec', 'text'], field: 'a', text: 'a', list: [] },
    { path: ['spec', 'empty'], field: '', text: undefined, list: [] },
    { path: ['spec', 'list'], field: [1], text: undefined, list: [1] },
    { path: ['spec', 'number'], field: 2, text: undefined, list: [] },
    { path: ['spec', 'none'], field: null, text: undefined, list: [] },
    { path: ['spec', 'list', '0'], field: undefined, text: undefined, list: [] },
    { path: ['spec', 'none', 'below'], field: undefined, text: undefined, list: [] },
    { path: ['absent', 'below'], field: undefined, text: undefined, list: [] },
    { path: [], field: given, text: undefined, list: [] },
  ])('at $path', ({ path, field, text, list }) => {
    expect([fieldAt(given, path), textAt(given, path), listAt(given, path)]).toEqual([field, text, list]);
  });
});
