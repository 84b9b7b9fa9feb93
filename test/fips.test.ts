import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import * as rsaKeys from '../src/formats/keys/rsa-key.js';
import { run } from '../src/run/run.js';
import { runRequest } from './support/run-request.js';
import { scratchFolder } from './support/scratch.js';
import { throwawayState } from './support/throwaway-state.js';

// Records which of the two key generators is called.
vi.mock('../src/formats/keys/rsa-key.js', async (actual) => {
  const real = await actual<typeof rsaKeys>();
  return {
    ...real,
    generateRsaKey: vi.fn(real.generateRsaKey),
    generateApprovedRsaKey: vi.fn(real.generateApprovedRsaKey),
  };
});

const config = readFileSync('fixtures/configs/fips/install-config.yaml', 'utf8');

/** Generated in each run; the state has all other values. */
const label = 'key/rsa-2048/tls/root-ca';

let state = '';
beforeAll(async () => {
  const whole = JSON.parse(await throwawayState({ 'install-config.yaml': config })) as {
    readonly generatedValues: Readonly<Record<string, string>>;
  };
  expect(Object.keys(whole.generatedValues)).toContain(label);
  const generatedValues = Object.entries(whole.generatedValues).filter(([name]) => name !== label);
  state = JSON.stringify({ ...whole, generatedValues: Object.fromEntries(generatedValues) });
});

describe('the keys of a whole config', () => {
  test.each([
    { fips: true, calls: { own: 0, approved: 1 } },
    { fips: false, calls: { own: 1, approved: 0 } },
  ])('with fips: $fips come from $calls', async ({ fips, calls }) => {
    vi.mocked(rsaKeys.generateRsaKey).mockClear();
    vi.mocked(rsaKeys.generateApprovedRsaKey).mockClear();
    const dir = join(scratchFolder(), 'site');
    mkdirSync(dir);
    writeFileSync(join(dir, 'install-config.yaml'), config.replace('fips: true', `fips: ${fips}`));
    writeFileSync(join(dir, '.sno-install-state.json'), state, { mode: 0o600 });

    const result = await run(runRequest(dir));

    expect(result).toMatchObject({ ok: true });
    expect({
      own: vi.mocked(rsaKeys.generateRsaKey).mock.calls.length,
      approved: vi.mocked(rsaKeys.generateApprovedRsaKey).mock.calls.length,
    }).toEqual(calls);
    const { generatedValues } = JSON.parse(readFileSync(join(dir, '.sno-install-state.json'), 'utf8')) as {
      readonly generatedValues: Readonly<Record<string, string>>;
    };
    expect(generatedValues[label]).toContain('BEGIN PRIVATE KEY');
  });
});
