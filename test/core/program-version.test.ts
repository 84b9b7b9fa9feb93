import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { programVersion } from '../../src/core/program-version.js';

it('is that of package.json', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ version: programVersion });
});
