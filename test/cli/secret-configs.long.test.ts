import { beforeAll, expect, test, vi } from 'vitest';

import { leaksOfCommands, secretCorpus, type SecretCorpus } from '../support/secret-run.js';
import { scaledMs } from '../support/time-scale.js';

vi.setConfig({ testTimeout: scaledMs(1_800_000) });

let corpus: SecretCorpus;
beforeAll(async () => {
  corpus = await secretCorpus();
});

// A separate file, so that it runs in parallel with secret-commands.long.test.ts.
test('prints no secret of a config in any command, at debug level, as text or JSON', async () => {
  const inputs = corpus.groups['a config'] ?? [];
  expect(inputs.length).toBeGreaterThanOrEqual(300);

  expect(await leaksOfCommands(inputs, corpus.state)).toEqual([]);
});
