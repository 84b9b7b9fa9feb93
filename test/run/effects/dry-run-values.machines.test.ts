import { describe, expect, it } from 'vitest';

import { drawStates, expectEqualDryRun, sites } from './support/rehearsal.js';

drawStates();

describe('a dry run reports the same as the run, in every directory of fixtures', () => {
  it.each(sites)('$name', expectEqualDryRun);
});

it('these are all kinds of directories', () => {
  for (const folder of ['fixtures/invalid/', 'fixtures/configs/', 'fixtures/configs/aio-'])
    expect(sites.filter(({ name }) => name.startsWith(folder)).length).toBeGreaterThan(0);
});
