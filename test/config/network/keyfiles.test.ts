import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { uuidOfUrl } from '../../../src/formats/uuid.js';
import { describedKeyfiles } from './described.js';
import { descriptionCorpus } from './description-corpus.js';

/** Recorded output of nmstatectl; test/config/network/nmstate.machines.test.ts compares it with the real program. */
const recorded = JSON.parse(readFileSync('test/config/network/recorded-keyfiles.json', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

describe('the profiles of a description are those of nmstatectl, byte for byte', () => {
  test.each(Object.entries(descriptionCorpus))('%s', (name, description) => {
    expect(describedKeyfiles(description)).toEqual(recorded[name]);
  });

  test('for everything that was recorded', () => {
    expect(Object.keys(recorded)).toEqual(Object.keys(descriptionCorpus));
    expect(Object.keys(recorded).length).toBeGreaterThanOrEqual(40);
  });
});

test('the UUID of a URL is that of version 5', () => {
  // python3 -c "import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, 'https://www.example.com/'))"
  expect(uuidOfUrl('https://www.example.com/')).toBe('3d3ed9d2-aa3d-5fa6-90e8-ed662e90f559');
});
