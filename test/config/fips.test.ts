import { expect, test } from 'vitest';

import { isFipsRequested } from '../../src/run/make-target.js';
import { testContext } from '../support/context.js';
import { minimalInstallConfig } from '../support/minimal-config.js';

test.each([
  { name: 'true', text: `${minimalInstallConfig}fips: true\n`, want: true },
  { name: 'true in JSON', text: '{"fips": true}', want: true },
  { name: 'yes, which YAML 1.1 takes for true', text: 'fips: yes\n', want: true },
  { name: 'false', text: 'fips: false\n', want: false },
  { name: 'a comment', text: `# fips: true\n${minimalInstallConfig}`, want: false },
  { name: 'a field of another name', text: 'metadata:\n  fips: true\n', want: false },
  { name: 'nothing', text: minimalInstallConfig, want: false },
  { name: 'what cannot be read', text: 'fips: true\n\tx: y\n', want: false },
])('asksForFips of $name', ({ text, want }) => {
  expect(isFipsRequested(testContext({ files: { 'install-config.yaml': text } }).inputs)).toBe(want);
});
