import { describe, expect, it, test } from 'vitest';

import { fipsHostWarnings, isFipsRequested } from '../../src/run/fips-host.js';
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

describe('a config with fips', () => {
  const { inputs } = testContext({ files: { 'install-config.yaml': 'baseDomain: a\nfips: true\n' } });

  it('gets a warning on a host without FIPS mode', () => {
    expect(fipsHostWarnings(inputs, false)).toEqual([
      {
        code: 'config/fips-host',
        severity: 'warning',
        message: 'fips is true, but this host is not in FIPS mode',
        at: { file: 'install-config.yaml', path: 'fips', line: 2, col: 7, length: 4 },
        hint: 'run sno-install on a Linux host that was installed in FIPS mode: /proc/sys/crypto/fips_enabled is 1',
      },
    ]);
  });

  it.each([true, undefined])('gets none if isFipsHost is %s', (isFipsHost) => {
    expect(fipsHostWarnings(inputs, isFipsHost)).toEqual([]);
  });
});

test('a config without fips gets no warning', () => {
  const { inputs } = testContext({ files: { 'install-config.yaml': minimalInstallConfig } });

  expect(fipsHostWarnings(inputs, false)).toEqual([]);
});
