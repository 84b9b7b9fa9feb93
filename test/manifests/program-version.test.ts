import { expect, it } from 'vitest';

import { packageVersion } from '../../src/disk/package.js';
import { programVersion } from '../../src/manifests/program-version.js';

it('is that of package.json', () => {
  expect(programVersion).toBe(packageVersion());
});
