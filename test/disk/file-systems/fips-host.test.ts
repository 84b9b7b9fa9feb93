import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { isFipsHost } from '../../../src/disk/file-systems/fips-host.js';
import { scratchFolder } from '../../support/scratch.js';

it.each([
  { text: '1\n', want: true },
  { text: '0\n', want: false },
  { text: '', want: false },
])('is $want for $text in fips_enabled', ({ text, want }) => {
  const path = join(scratchFolder(), 'fips_enabled');
  writeFileSync(path, text);

  expect(isFipsHost(path)).toBe(want);
});

it.each([join(scratchFolder(), 'absent'), undefined])('is false without the file (%s)', (path) => {
  expect(isFipsHost(path)).toBe(false);
});
