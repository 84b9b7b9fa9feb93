import { expect, it } from 'vitest';

import { programVersion } from '../../../src/assets/manifests/program-version.js';
import { packageVersion } from '../../../src/disk/package.js';

it('is that of package.json', () => {
  expect(programVersion).toBe(packageVersion());
});
